// What a function may rely on, and must leave, at imports, exports, globals and calls.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// The next call only waits for the writer: it may overwrite what the reader still reads.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @state__timepoint = #stream.timepoint<immediate> : !stream.timepoint
util.global private @state : !stream.resource<variable>
util.func public @not_covered(%fence: !hal.fence) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %t = util.global.load @state__timepoint : !stream.timepoint
  %x = util.global.load immutable @state : !stream.resource<variable>
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<variable>{%c256}
  } => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    // expected-error @below {{a later call may write it, and waits only for the global's timepoint}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  %both = stream.timepoint.join max(%made, %read) => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %both => (%fence : !hal.fence)
  util.global.store %made, @state__timepoint : !stream.timepoint
  util.return
}
}

// -----

// The timepoint of the global covers the reader.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @state__timepoint = #stream.timepoint<immediate> : !stream.timepoint
util.global private @state : !stream.resource<variable>
util.func public @covered(%fence: !hal.fence) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %t = util.global.load @state__timepoint : !stream.timepoint
  %x = util.global.load immutable @state : !stream.resource<variable>
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<variable>{%c256}
  } => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  %both = stream.timepoint.join max(%made, %read) => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %both => (%fence : !hal.fence)
  util.global.store %both, @state__timepoint : !stream.timepoint
  util.return
}
}

// -----

// The other device may import it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @export_dirty(%fence: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<external>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<external>{%c256}
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %made => (%fence : !hal.fence)
  // expected-error @below {{missing flush: 'stream.tensor.export' on @dev_b reads [0 for 256]}}
  %out = stream.tensor.export on(#hal.device.affinity<@dev_b>) %x : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}
}

// -----

// Flushed for whoever imports it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @export_flushed(%fence: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<external>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<external>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<external>{%c256}
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %made => (%fence : !hal.fence)
  %out = stream.tensor.export on(#hal.device.affinity<@dev_b>) %x : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}
}

// -----

// Imported on one device, which flushed it; the cache of the other may be stale.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @import_stale(%in: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %in : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
  %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %x_in: !stream.resource<external>{%c256}) {
    // expected-error @below {{stale read: 'stream.cmd.dispatch' on @dev_b reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %read => (%signal : !hal.fence)
  util.return
}
}

// -----

// Invalidated.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @import_invalidated(%in: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %in : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
  %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %x_in: !stream.resource<external>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<external>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %read => (%signal : !hal.fence)
  util.return
}
}

// -----

// The input is there when its fence says so.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @fence_ignored(%in: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %in : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
  %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%x as %x_in: !stream.resource<external>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %read => (%signal : !hal.fence)
  util.return
}
}

// -----

// It waits for the fence.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @fence_awaited(%in: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %in : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
  %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %x_in: !stream.resource<external>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %read => (%signal : !hal.fence)
  util.return
}
}

// -----

// The callee reads it on the other device.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func private @callee(%x: !stream.resource<transient>, %t: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %read : !stream.timepoint
}
util.func public @call_dirty(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  // expected-error @below {{missing flush: 'util.call' on @dev_a or @dev_b reads [0 for 256]}}
  %done = util.call @callee(%x, %made) : (!stream.resource<transient>, !stream.timepoint) -> !stream.timepoint
  util.return %done : !stream.timepoint
}
}

// -----

// Flushed before the call.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func private @callee(%x: !stream.resource<transient>, %t: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %read : !stream.timepoint
}
util.func public @call_flushed(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %done = util.call @callee(%x, %made) : (!stream.resource<transient>, !stream.timepoint) -> !stream.timepoint
  util.return %done : !stream.timepoint
}
}

// -----

// The callee reaches no global, so it can't meet the reader.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @g__timepoint : !stream.timepoint
util.global private mutable @g : !stream.resource<variable>
util.global private mutable @other : index
util.func private @outside(%n: index)
util.func private @inner(%n: index) {
  util.global.store %n, @other : index
  util.call @outside(%n) : (index) -> ()
  util.return
}
util.func private @callee(%n: index) {
  util.call @inner(%n) : (index) -> ()
  util.return
}
util.func public @unrelated_callee(%n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %t = util.global.load @g__timepoint : !stream.timepoint
  %x = util.global.load @g : !stream.resource<variable>
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%read) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<variable>{%c256}
  } => !stream.timepoint
  util.call @callee(%n) : (index) -> ()
  util.global.store %over, @g__timepoint : !stream.timepoint
  util.return %over : !stream.timepoint
}
}

// -----

// What the callee calls does: it waits for the global's timepoint, which doesn't cover the reader yet.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @g__timepoint : !stream.timepoint
util.global private mutable @g : !stream.resource<variable>
util.func private @inner() {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %t = util.global.load @g__timepoint : !stream.timepoint
  %x = util.global.load @g : !stream.resource<variable>
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<variable>{%c256}
  } => !stream.timepoint
  util.global.store %over, @g__timepoint : !stream.timepoint
  util.return
}
util.func private @callee() {
  util.call @inner() : () -> ()
  util.return
}
util.func public @related_callee() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %t = util.global.load @g__timepoint : !stream.timepoint
  %x = util.global.load @g : !stream.resource<variable>
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  util.call @callee() : () -> ()
  util.global.store %read, @g__timepoint : !stream.timepoint
  util.return %read : !stream.timepoint
}
}

// -----

// A function that is outside may know a global that is not private.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @g__timepoint : !stream.timepoint
util.global public mutable @g : !stream.resource<variable>
util.func private @outside()
util.func private @update() {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %t = util.global.load @g__timepoint : !stream.timepoint
  %x = util.global.load @g : !stream.resource<variable>
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<variable>{%c256}
  } => !stream.timepoint
  util.global.store %over, @g__timepoint : !stream.timepoint
  util.return
}
util.func public @public_global() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %t = util.global.load @g__timepoint : !stream.timepoint
  %x = util.global.load @g : !stream.resource<variable>
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  util.call @outside() : () -> ()
  util.global.store %read, @g__timepoint : !stream.timepoint
  util.return %read : !stream.timepoint
}
}
