// Devices without unified memory: where all the others can access one device's memory, the storage is placed there; an optimal affinity
// would leave the place to the runtime. One direction of access is enough, and decides who the owner is.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_b -> @dev_a = {transparent_access = true}, {coherent = true}),
  (@dev_a -> @dev_b = {unified_memory = false}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // b reads in a's memory.
  // CHECK-LABEL: @reader_accesses_producer
  util.func public @reader_accesses_producer() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>)
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (transparent-access: all users access the owner's memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: stream.resource.dealloca on(#hal.device.affinity<@dev_a>)
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    %freed_source = stream.resource.dealloca on(#a) await(%used) => %source : !transient{%c256} => !stream.timepoint
    util.return %freed_source : !stream.timepoint
  }

  // The other way, the storage still is a's.
  // CHECK-LABEL: @and_back
  util.func public @and_back() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>)
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#b) await(%source_ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#a) await(%made) => !transient{%c256} => !stream.timepoint
    %used = stream.cmd.execute on(#a) await(%result_ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#b) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_b to @dev_a: alias (transparent-access: all users access the owner's memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
