// IREE binds more of a slab than a kernel writes. What the kernel leaves as it is keeps its last writer, who flushes it; the other
// bytes of the range need nothing.
//
// RUN: stream-zc-opt --zc-maintain-coherence %s | FileCheck %s
// RUN: stream-zc-opt --zc-maintain-coherence --zc-verify-coherence %s -o /dev/null

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  stream.executable private @ex {
    stream.executable.export public @middle workgroups() -> (index, index, index) {
      %c1 = arith.constant 1 : index
      stream.return %c1, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func @middle(%binding: !stream.binding, %offset: i32) {
        %at = arith.index_castui %offset : i32 to index
        %value = arith.constant dense<1> : tensor<16xi32>
        %out = stream.binding.subspan %binding[%at] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xi32>>
        iree_tensor_ext.dispatch.tensor.store %value, %out, offsets = [0], sizes = [16], strides = [1] : tensor<16xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xi32>>
        return
      }
    }
  }

  // CHECK-LABEL: @part
  util.func public @part(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c128_i32 = arith.constant 128 : i32
    %value = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#b) await(%ready) => !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.fill {{.*}}[%c0 for %c128]
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) {{.*}}[%c0 for %c128]
    %filled = stream.cmd.execute on(#b) await(%x_ready) => with(%x as %m: !transient{%c256}) {
      stream.cmd.fill %value, %m[%c0 for %c128] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // The kernel writes [128 for 64]: nothing to invalidate or to flush beside it.
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: {{^ +}}wo
    // CHECK-NEXT: {{^ +[}]$}}
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) {{.*}}[%c128 for %c64]
    %made = stream.cmd.execute on(#b) await(%filled) => with(%x as %m: !transient{%c256}) {
      stream.cmd.dispatch @ex::@middle(%c128_i32 : i32) { wo %m[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) {{.*}}[%c0 for %c192]
    %read = stream.cmd.execute on(#a) await(%made) => with(%x as %m: !transient{%c256}) {
      stream.cmd.dispatch @other::@read { ro %m[%c0 for %c64] : !transient{%c256} }
      stream.cmd.dispatch @other::@read { ro %m[%c64 for %c128] : !transient{%c256} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }
}
