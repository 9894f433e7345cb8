// Accesses whose place is not known, and what bounds it: the resource, the binding.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// A range stays in its resource, wherever it begins: all of that was flushed and invalidated.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @all_maintained(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @other::@r { ro %x_in[%k for %c64] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Its second half was not flushed.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @half_flushed(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    // expected-error @below {{missing flush: 'stream.cmd.dispatch' on @dev_b reads [? for 64]}}
    stream.cmd.dispatch @other::@r { ro %x_in[%k for %c64] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Nor was it invalidated.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @half_invalidated(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
    // expected-error @below {{stale read: 'stream.cmd.dispatch' on @dev_b reads [? for 64]}}
    stream.cmd.dispatch @other::@r { ro %x_in[%k for %c64] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two flushes of all of it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @two_flushes(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c128 for %c128] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @other::@r { ro %x_in[%k for %c64] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// They leave a line out.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @two_flushes_and_a_gap(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c64] : !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c128 for %c128] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    // expected-error @below {{missing flush: 'stream.cmd.dispatch' on @dev_b reads [? for 64]}}
    stream.cmd.dispatch @other::@r { ro %x_in[%k for %c64] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// What was written is what was flushed, wherever the next writer writes, by whole lines.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @same_range(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %l = arith.muli %k, %c64 : index
  %m = arith.addi %l, %l : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%n} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%m for %c64] : i32 -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%m for %c64] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%l for %c64] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// What was written is what was flushed, wherever the next writer writes, but by parts of lines, too: what its cache
// has of the rest may be older than what the first one wrote.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @part_of_a_line(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %c48 = arith.constant 48 : index
  %l = arith.muli %k, %c48 : index
  %m = arith.addi %l, %l : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%n} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%m for %c64] : i32 -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%m for %c64] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b overwrites}}
    stream.cmd.fill %p, %x_in[%l for %c64] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// What was written is what was flushed, wherever the next writer writes, and the lines it shares are invalidated.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @rest_of_the_line_invalidated(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %c48 = arith.constant 48 : index
  %l = arith.muli %k, %c48 : index
  %m = arith.addi %l, %l : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%n} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%m for %c64] : i32 -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%m for %c64] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%l for %c64] : !stream.resource<transient>{%n}
    stream.cmd.fill %p, %x_in[%l for %c64] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Something else was flushed.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @another_range(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %m = arith.addi %k, %k : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%n} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%m for %c64] : i32 -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%j for %c64] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b overwrites [? for 64]}}
    stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// All of a resource whose size is not known was flushed.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @all_of_unknown_size(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%n} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%c0 for %n] : i32 -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%c64 for %c64] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// As much of it as something else is long.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @part_of_unknown_size(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%n} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    stream.cmd.fill %p, %x_in[%c0 for %n] : i32 -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %j] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%n}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b overwrites [64 for 64]}}
    stream.cmd.fill %p, %x_in[%c64 for %c64] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// A kernel stays in its binding; another device's line is not among those.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @apart_from_binding(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c128] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c128 for %c32] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// It is: the last line of the binding.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @line_of_binding(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c96] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b overwrites}}
    stream.cmd.fill %p, %x_in[%c96 for %c32] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The kernel comes second.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @kernel_second(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c128 for %c32] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c128] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// And takes the line with it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @kernel_second_in_line(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %step0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c96 for %c32] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%step0) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.dispatch' on @dev_b overwrites}}
    stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c96] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two kernels in two bindings.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @two_bindings(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.concurrent {
      stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c128] : !stream.resource<transient>{%c256} }
      stream.cmd.dispatch @ex::@put(%j : index) { wo %x_in[%c128 for %c128] : !stream.resource<transient>{%c256} }
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// In one.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @one_binding(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.concurrent {
      stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
      // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a writes [? for 32]}}
      stream.cmd.dispatch @ex::@put(%j : index) { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// All that the kernel may read is written, by two.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @all_written(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c128] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.fill %p, %x_in[%c128 for %c128] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@get(%k : index) { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Only half of it is.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @half_written(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c128] : i32 -> !stream.resource<transient>{%c256}
    // expected-error @below {{use of undefined memory: 'stream.cmd.dispatch' on @dev_a reads [? for 32]}}
    stream.cmd.dispatch @ex::@get(%k : index) { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// What is not written may be padding.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @padding(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c200 = arith.constant 200 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c200] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@get(%k : index) { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// That is too much for padding.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @get
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @get(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @more_than_padding(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c192 = arith.constant 192 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c192] : i32 -> !stream.resource<transient>{%c256}
    // expected-error @below {{use of undefined memory: 'stream.cmd.dispatch' on @dev_a reads [? for 32]}}
    stream.cmd.dispatch @ex::@get(%k : index) { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// A kernel may read what it writes: IREE ties operands to results.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @in_place(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.dispatch @other::@rw {
      ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256},
      rw %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// A copy may not.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @copy_onto_itself(%ready: !stream.timepoint, %k: index, %j: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    // expected-error @below {{race: 'stream.cmd.copy' on @dev_a writes}}
    stream.cmd.copy %x_in[%c0], %x_in[%c64], %c128 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
