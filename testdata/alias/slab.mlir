// A source that is a slice of a packed slab: users of the result move to where the slice is. Only this slice matters; its neighbours may be
// written at any time.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>
!external = !stream.resource<external>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @slice
  util.func public @slice() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[SLAB:.+]], %{{.+}} = stream.resource.alloca {{.+}}{%c512}
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) {{.+}} with(%[[SLAB]] as %[[A:.+]]: !stream.resource<transient>{%c512}) {
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: ro %[[A]][%c256 for %c256] : !stream.resource<transient>{%c512}
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c256 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c256], %r[%c0], %c256 : !transient{%c512} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // A write to the slab beside the slice.
  // CHECK-LABEL: @neighbour_written
  util.func public @neighbour_written() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c256 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c256], %r[%c0], %c256 : !transient{%c512} -> !transient{%c256}
    } => !stream.timepoint
    %other = stream.cmd.execute on(#a) await(%made) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%used, %other) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // The nearest one that overlaps it.
  // CHECK-LABEL: @slice_written
  util.func public @slice_written() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c256 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-overwritten: the source is written while the result is still in use; stream.cmd.fill)}}
      stream.cmd.copy %s[%c256], %r[%c0], %c256 : !transient{%c512} -> !transient{%c256}
    } => !stream.timepoint
    %other = stream.cmd.execute on(#a) await(%made) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c128 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%used, %other) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // Where the slice begins isn't known.
  // CHECK-LABEL: @dynamic_offset
  util.func public @dynamic_offset(%offset: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%offset for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-source: the source is a part of its allocation)}}
      stream.cmd.copy %s[%offset], %r[%c0], %c256 : !transient{%c512} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Slices are aligned to 64 bytes; code that uses the result may count on it.
  // CHECK-LABEL: @unaligned
  util.func public @unaligned() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c16 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-source: the source is a part of its allocation)}}
      stream.cmd.copy %s[%c16], %r[%c0], %c256 : !transient{%c512} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Copied on: the second result is where the first one is.
  // CHECK-LABEL: @slice_of_a_slice
  util.func public @slice_of_a_slice() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c256 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c256], %r[%c0], %c256 : !transient{%c512} -> !transient{%c256}
    } => !stream.timepoint
    %back, %back_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %back_ready2 = stream.timepoint.join max(%copied, %back_ready) => !stream.timepoint
    %returned = stream.cmd.execute on(#a) await(%back_ready2) => with(%result as %s: !transient{%c256}, %back as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#b) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_b to @dev_a: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: ro %{{.+}}[%c256 for %c256]
    %used = stream.cmd.execute on(#a) await(%returned) => with(%back as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // What the result holds beyond the copied bytes has no place in the slab.
  // CHECK-LABEL: @result_beyond_the_copy
  util.func public @result_beyond_the_copy() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c512} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !transient{%c512}) {
      stream.cmd.invalidate from(#a) %s[%c256 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-source: the source is a part of its allocation)}}
      stream.cmd.copy %s[%c256], %r[%c0], %c256 : !transient{%c512} -> !transient{%c512}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c512}) {
      stream.cmd.fill %value, %r[%c256 for %c256] : i32 -> !transient{%c512}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c512] : !transient{%c512} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // An exported buffer is an allocation of its own.
  // CHECK-LABEL: @result_exported
  util.func public @result_exported(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %value = arith.constant 7 : i32
    %slab, %slab_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c512} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%slab_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%slab as %s: !transient{%c512}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c512}
      stream.cmd.fill %value, %s[%c256 for %c256] : i32 -> !transient{%c512}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%slab as %s: !transient{%c512}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c256 for %c256] : !transient{%c512}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-source: the source is a part of its allocation)}}
      stream.cmd.copy %s[%c256], %r[%c0], %c256 : !transient{%c512} -> !external{%c256}
    } => !stream.timepoint
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    util.return %view : !hal.buffer_view
  }

}
