// Two devices write different bytes of one cache line, and the link between them isn't coherent: what the one writes back would undo
// what the other wrote. Or one device does, and invalidates the line in between. In different lines nothing is the matter.
//
// RUN: stream-zc-opt --zc-order-hazards=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @one_line
  util.func public @one_line(%x: !transient, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%arg1)
    %first = stream.cmd.execute on(#a) await(%ready) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c0 for %c16] : i32 -> !transient{%c128}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[FIRST]])
    %second = stream.cmd.execute on(#b) await(%ready) => with(%x as %m: !transient{%c128}) {
      // expected-remark@+1 {{'stream.cmd.fill' and 'stream.cmd.fill' use bytes of one cache line and nothing ordered them: the second waits for the first}}
      stream.cmd.fill %value, %m[%c16 for %c16] : i32 -> !transient{%c128}
    } => !stream.timepoint
    %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // CHECK-LABEL: @two_lines
  util.func public @two_lines(%x: !transient, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%arg1)
    %first = stream.cmd.execute on(#a) await(%ready) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c0 for %c16] : i32 -> !transient{%c128}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%arg1)
    %second = stream.cmd.execute on(#b) await(%ready) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c64 for %c16] : i32 -> !transient{%c128}
    } => !stream.timepoint
    %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // A writes one half of a line and reads the other, which B wrote: to read it A invalidates the line, and would drop its own half.
  // CHECK-LABEL: @one_device
  util.func public @one_device(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %value = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#b) await(%ready) => !transient{%c128} => !stream.timepoint
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    %made = stream.cmd.execute on(#b) await(%x_ready) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c0 for %c128] : i32 -> !transient{%c128}
    } => !stream.timepoint
    // CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[MADE]])
    %first = stream.cmd.execute on(#a) await(%made) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c0 for %c16] : i32 -> !transient{%c128}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[FIRST]])
    %second = stream.cmd.execute on(#a) await(%made) => with(%x as %m: !transient{%c128}) {
      // expected-remark@+1 {{'stream.cmd.fill' and 'stream.cmd.dispatch' use bytes of one cache line and nothing ordered them: the second waits for the first}}
      stream.cmd.dispatch @ex::@read { ro %m[%c16 for %c16] : !transient{%c128} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // Nobody else writes: A invalidates nothing.
  // CHECK-LABEL: @own_memory
  util.func public @own_memory(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %value = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#a) await(%ready) => !transient{%c128} => !stream.timepoint
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    %made = stream.cmd.execute on(#a) await(%x_ready) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c0 for %c128] : i32 -> !transient{%c128}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[MADE]])
    %first = stream.cmd.execute on(#a) await(%made) => with(%x as %m: !transient{%c128}) {
      stream.cmd.fill %value, %m[%c0 for %c16] : i32 -> !transient{%c128}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[MADE]])
    %second = stream.cmd.execute on(#a) await(%made) => with(%x as %m: !transient{%c128}) {
      stream.cmd.dispatch @ex::@read { ro %m[%c16 for %c16] : !transient{%c128} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
    util.return %both : !stream.timepoint
  }
}
