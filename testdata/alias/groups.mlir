// Copies inside stream.cmd.serial and stream.cmd.concurrent: commands of a concurrent group are unordered, those of a serial one ordered. A
// group that the copy leaves empty goes, too.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // The source is read beside the copy; what is left of the group is one command.
  // CHECK-LABEL: @beside_a_reader
  util.func public @beside_a_reader() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
      // CHECK-NEXT: stream.cmd.dispatch
      // CHECK: ro
      // CHECK: stream.cmd.dispatch
      // CHECK-NOT: stream.cmd.{{concurrent|serial|copy}}
      stream.cmd.concurrent {
        stream.cmd.serial {
          stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
          // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
          stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
        }
        stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
      }
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Written beside the copy.
  // CHECK-LABEL: @beside_a_writer
  util.func public @beside_a_writer() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      // CHECK: stream.cmd.copy
      stream.cmd.concurrent {
        stream.cmd.serial {
          stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
          // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-overwritten: the source is written while the result is still in use; stream.cmd.fill)}}
          stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
        }
        stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
      }
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // A user of the result that isn't behind the copy.
  // CHECK-LABEL: @result_read_beside
  util.func public @result_read_beside() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      // CHECK: stream.cmd.copy
      stream.cmd.concurrent {
        stream.cmd.serial {
          stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
          // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result; stream.cmd.dispatch)}}
          stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
        }
        stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
      }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Commands behind the copy in its own serial group.
  // CHECK-LABEL: @serial_in_concurrent
  util.func public @serial_in_concurrent() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      // CHECK: stream.cmd.concurrent {
      // CHECK-NEXT: stream.cmd.serial {
      // CHECK-NEXT: stream.cmd.dispatch
      // CHECK-NOT: stream.cmd.copy
      stream.cmd.concurrent {
        stream.cmd.serial {
          stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
          // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
          stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
          stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
          stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
        }
        stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
      }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Nothing is left, so the region goes.
  // CHECK-LABEL: @empty_groups
  util.func public @empty_groups() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-COUNT-1: stream.cmd.execute
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.{{execute|concurrent|serial}}
    %used = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.concurrent {
        stream.cmd.serial {
          stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
          // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
          stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
        }
      }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
