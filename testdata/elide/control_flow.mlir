// Values that control flow carries: transfers in loop bodies and branches are elided; a name that goes on to another block or another turn
// of a loop is freed with its last reference, which waits for no device, so that such a transfer stays unless it is the value's only name.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // Made and used in the body.
  // CHECK-LABEL: @in_scf_for
  util.func public @in_scf_for() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %c4 = arith.constant 4 : index
    %looped = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %source) -> (!any) {
      %made = stream.async.dispatch on(#a) @ex::@run(%x[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
      %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      // expected-remark@+1 {{transfer from @dev_b to @dev_a: alias (shared-memory: all users share unified memory)}}
      %back = stream.async.transfer %used : !any{%c256} from(#b) -> to(#a) !any{%c256}
      %next = stream.async.dispatch on(#a) @ex::@run(%back[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      scf.yield %next : !any
    }
    %view = stream.tensor.export on(#a) %looped : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // In one branch.
  // CHECK-LABEL: @in_scf_if
  util.func public @in_scf_if(%condition: i1) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %none = stream.async.splat on(#b) %value : i32 -> !any{%c256}
    %chosen = scf.if %condition -> (!any) {
      %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
      %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      scf.yield %used : !any
    } else {
      %other = stream.async.dispatch on(#b) @ex::@run(%none[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      scf.yield %other : !any
    }
    %view = stream.tensor.export on(#b) %chosen : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @in_scf_while
  util.func public @in_scf_while(%condition: i1) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %looped = scf.while (%x = %source) : (!any) -> !any {
      scf.condition(%condition) %x : !any
    } do {
    ^body(%y: !any):
      %made = stream.async.dispatch on(#a) @ex::@run(%y[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
      %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      scf.yield %used : !any
    }
    %view = stream.tensor.export on(#b) %looped : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @in_block
  util.func public @in_block(%condition: i1) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    cf.cond_br %condition, ^then, ^end(%source : !any)
  ^then:
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    cf.br ^end(%used : !any)
  ^end(%x: !any):
    %view = stream.tensor.export on(#b) %x : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The result goes on to another block while the source is in use.
  // CHECK-LABEL: @carried
  util.func public @carried() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-escapes: the source leaves the program's sight; cf.br)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#a) @ex::@run(%made[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    cf.br ^end(%moved, %used : !any, !any)
  ^end(%x: !any, %y: !any):
    %both = stream.async.dispatch on(#b) @ex::@run(%x[%c0 to %c256 for %c256], %y[%c0 to %c256 for %c256]) : (!any{%c256}, !any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %both : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
