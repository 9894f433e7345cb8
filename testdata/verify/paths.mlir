// Branches both ways, loops twice.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics %s -o /dev/null

// Only one branch reads; the writer waits for neither.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @branch(%ready: !stream.timepoint, %which: i1) -> !stream.timepoint {
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
  cf.cond_br %which, ^read, ^join(%made : !stream.timepoint)
^read:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  cf.br ^join(%read : !stream.timepoint)
^join(%before: !stream.timepoint):
  %both = stream.timepoint.join max(%made, %before) => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.fill' on @dev_a writes [0 for 256]}}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %before) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The writer waits for what either branch did.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @branch_joined(%ready: !stream.timepoint, %which: i1) -> !stream.timepoint {
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
  cf.cond_br %which, ^read, ^join(%made : !stream.timepoint)
^read:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  cf.br ^join(%read : !stream.timepoint)
^join(%before: !stream.timepoint):
  %both = stream.timepoint.join max(%made, %before) => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%both) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %before) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The next round does not wait for the reader of this one.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @loop(%ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %c1 = arith.constant 1 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  cf.br ^head(%c0, %made, %made : index, !stream.timepoint, !stream.timepoint)
^head(%i: index, %t: !stream.timepoint, %all: !stream.timepoint):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a writes [0 for 256]}}
    stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%over) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %next = arith.addi %i, %c1 : index
  %each = stream.timepoint.join max(%all, %read) => !stream.timepoint
  cf.br ^head(%next, %over, %each : index, !stream.timepoint, !stream.timepoint)
^exit:
  util.return %all : !stream.timepoint
}
}

// -----

// It does.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @loop_carried(%ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %c1 = arith.constant 1 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  cf.br ^head(%c0, %made, %made : index, !stream.timepoint, !stream.timepoint)
^head(%i: index, %t: !stream.timepoint, %all: !stream.timepoint):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%over) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %next = arith.addi %i, %c1 : index
  %each = stream.timepoint.join max(%all, %read) => !stream.timepoint
  cf.br ^head(%next, %read, %each : index, !stream.timepoint, !stream.timepoint)
^exit:
  util.return %all : !stream.timepoint
}
}

// -----

// One condition decides both branches: the path that reads without writing does not exist.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @same_condition(%ready: !stream.timepoint, %which: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  cf.cond_br %which, ^write, ^between(%x_ready : !stream.timepoint)
^write:
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  cf.br ^between(%made : !stream.timepoint)
^between(%t: !stream.timepoint):
  cf.cond_br %which, ^read, ^exit(%t : !stream.timepoint)
^read:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  cf.br ^exit(%read : !stream.timepoint)
^exit(%last: !stream.timepoint):
  util.return %last : !stream.timepoint
}
}

// -----

// Two conditions: it does.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @two_conditions(%ready: !stream.timepoint, %which: i1, %other: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  cf.cond_br %which, ^write, ^between(%x_ready : !stream.timepoint)
^write:
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  cf.br ^between(%made : !stream.timepoint)
^between(%t: !stream.timepoint):
  cf.cond_br %other, ^read, ^exit(%t : !stream.timepoint)
^read:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{use of undefined memory}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  cf.br ^exit(%read : !stream.timepoint)
^exit(%last: !stream.timepoint):
  util.return %last : !stream.timepoint
}
}

// -----

// A select and a branch that one condition decides: what is read is written.
module {
util.global private @dev_a : !hal.device
util.func public @select_alike(%ready: !stream.timepoint, %which: i1, %other: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %at = arith.select %which, %c128, %c0 : index
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c128 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  cf.cond_br %which, ^read, ^exit(%made : !stream.timepoint)
^read:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%at for %c128] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  cf.br ^exit(%read : !stream.timepoint)
^exit(%last: !stream.timepoint):
  util.return %last : !stream.timepoint
}
}

// -----

// Two conditions: it may be the other half.
module {
util.global private @dev_a : !hal.device
util.func public @select_apart(%ready: !stream.timepoint, %which: i1, %other: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %at = arith.select %which, %c128, %c0 : index
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c128 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  cf.cond_br %other, ^read, ^exit(%made : !stream.timepoint)
^read:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{use of undefined memory: 'stream.cmd.dispatch' on @dev_a reads [? for 128]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%at for %c128] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  cf.br ^exit(%read : !stream.timepoint)
^exit(%last: !stream.timepoint):
  util.return %last : !stream.timepoint
}
}
