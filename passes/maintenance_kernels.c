/* Kernels that maintain a CPU's cache by its own instructions, run as ordinary dispatches: at execution time, in queue
 * order, on any driver. They step by at most ZC_CPU_LINE bytes whatever the link's line is: the link's may be that of
 * the device at the other end, and stepping over lines of this one would leave them dirty. */
#include <string.h>

#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/lower_cache_maintenance.h"

#define ZC_CPU_LINE 64
#define KERNEL_ATTRIBUTE "zc.kernel"

/* ---- which CPU ---- */

static const struct {
  const char *spelling; /* In a target triple, or at the end of an executable format. */
  zc_cpu_kind kind;
} architectures[] = {{"x86_64", ZC_CPU_X86_64},   {"aarch64", ZC_CPU_AARCH64}, {"arm64", ZC_CPU_AARCH64},
                     {"arm_64", ZC_CPU_AARCH64},  {"riscv64", ZC_CPU_RISCV64}, {"riscv_64", ZC_CPU_RISCV64},
                     {"riscv32", ZC_CPU_RISCV32}, {"riscv_32", ZC_CPU_RISCV32}};

static zc_cpu_kind kind_of_architecture(const char *name) {
  for (size_t i = 0; i < sizeof architectures / sizeof *architectures; ++i)
    if (strcmp(architectures[i].spelling, name) == 0)
      return architectures[i].kind;
  return ZC_CPU_UNKNOWN;
}

/* The string that begins at `at`, up to its closing quote. */
static const char *quoted_text(zc_arena *arena, const char *at) {
  return zc_arena_copy(arena, at, strcspn(at, "\""));
}

/* The string value of `key` in the text of one attribute; null where it has none. */
static const char *string_value(zc_arena *arena, const char *text, const char *key) {
  const char *found = strstr(text, zc_arena_format(arena, "%s = \"", key));
  return found ? quoted_text(arena, strchr(found, '"') + 1) : NULL;
}

static bool has_feature(const char *features, const char *feature) {
  size_t length = strlen(feature);
  for (const char *at = features; (at = strstr(at, feature)); at += length)
    if ((at == features || at[-1] == ',') && (at[length] == ',' || !at[length]))
      return true;
  return false;
}

/* Of one #hal.executable.target<"backend", "format", {…}>, from behind its first quote. */
static zc_cpu read_executable_target(zc_arena *arena, const char *text) {
  zc_cpu cpu = {.kind = ZC_CPU_UNKNOWN, .architecture = quoted_text(arena, text)};
  const char *triple = string_value(arena, text, "target_triple");
  const char *format = strstr(text, "\", \"");
  if (triple) {
    cpu.architecture = zc_arena_copy(arena, triple, strcspn(triple, "-"));
  } else if (format && strcmp(cpu.architecture, "llvm-cpu") == 0) {
    format = quoted_text(arena, format + strlen("\", \""));
    const char *dash = strrchr(format, '-');
    cpu.architecture = dash ? dash + 1 : format;
  }
  const char *features = string_value(arena, text, "cpu_features");
  cpu.kind = kind_of_architecture(cpu.architecture);
  cpu.clwb = features && has_feature(features, "+clwb");
  cpu.clflushopt = features && has_feature(features, "+clflushopt");
  return cpu;
}

/* What holds for both: a device may bring executables for more than one target. */
static zc_cpu meet(zc_arena *arena, zc_cpu a, zc_cpu b) {
  if (a.kind != b.kind || a.kind == ZC_CPU_UNKNOWN) {
    if (strcmp(a.architecture, b.architecture) != 0)
      a.architecture = zc_arena_format(arena, "%s and %s", a.architecture, b.architecture);
    a.kind = ZC_CPU_UNKNOWN;
  }
  a.clwb = a.clwb && b.clwb;
  a.clflushopt = a.clflushopt && b.clflushopt;
  return a;
}

static bool is_local_only(const char *text) {
  static const char target[] = "#hal.device.target<\"";
  for (const char *at = text; (at = strstr(at, target));) {
    at += strlen(target);
    if (strncmp(at, "local\"", strlen("local\"")) != 0)
      return false;
  }
  return true;
}

static zc_cpu read_device_target(zc_arena *arena, char *text) {
  static const char target[] = "#hal.executable.target<\"";
  zc_cpu cpu = {.kind = is_local_only(text) ? ZC_CPU_UNKNOWN : ZC_CPU_NONE, .architecture = "unknown"};
  if (cpu.kind == ZC_CPU_NONE)
    return cpu;
  bool first = true;
  for (char *at = strstr(text, target); at; first = false) {
    char *next = strstr(at + strlen(target), target);
    char *one = zc_arena_copy(arena, at + strlen(target), (next ? (size_t)(next - at) : strlen(at)) - strlen(target));
    zc_cpu other = read_executable_target(arena, one);
    cpu = first ? other : meet(arena, cpu, other);
    at = next;
  }
  return cpu;
}

zc_cpu zc_cpu_of_device(const zc_context *context, int device) {
  MlirOperation global = zc_find_symbol(context, zc_devices_symbol(context->devices, device));
  MlirAttribute value = {NULL};
  if (!mlirOperationIsNull(global))
    value = zc_attribute(global, "initial_value");
  if (mlirAttributeIsNull(value))
    return (zc_cpu){.kind = ZC_CPU_UNKNOWN, .architecture = "unknown"};
  return read_device_target(context->arena, zc_attribute_text(context->arena, value));
}

/* ---- the kernel ---- */

/* Assembly as the string of an llvm.inline_asm; $0 is the address. */
typedef struct instructions {
  const char *name; ///< For the symbol.
  const char *line;
  const char *fence;
} instructions;

static instructions choose_instructions(const zc_cpu *cpu, bool invalidate) {
  switch (cpu->kind) {
  case ZC_CPU_X86_64:
    if (!invalidate && cpu->clwb)
      return (instructions){"clwb", "clwb ($0)", "mfence"};
    if (cpu->clflushopt)
      return (instructions){"clflushopt", "clflushopt ($0)", "mfence"};
    return (instructions){"clflush", "clflush ($0)", "mfence"};
  case ZC_CPU_AARCH64:
    return invalidate ? (instructions){"dc_civac", "dc civac, $0", "dsb sy"}
                      : (instructions){"dc_cvac", "dc cvac, $0", "dsb sy"};
  default: /* The extension is named here: a target's features need not list it. */
    return invalidate
               ? (instructions){"cbo_flush", ".option push\\0A.option arch, +zicbom\\0Acbo.flush ($0)\\0A.option pop",
                                "fence iorw, iorw"}
               : (instructions){"cbo_clean", ".option push\\0A.option arch, +zicbom\\0Acbo.clean ($0)\\0A.option pop",
                                "fence iorw, iorw"};
  }
}

/* %1$s symbol, %2$s mark, %3$lld line, %4$s type of an address, %5$s and %6$s assembly, %7$lld line - 1. A workgroup
 * takes some 64 KiB, or a 1024th where that is more, so that the count stays in what every driver takes. */
static const char kernel_text[] =
    "stream.executable private @%1$s attributes {" KERNEL_ATTRIBUTE " = \"%2$s\"} {\n"
    "  stream.executable.export public @%1$s workgroups(%%length: index) -> (index, index, index) {\n"
    "    %%c1 = arith.constant 1 : index\n"
    "    %%most = arith.constant 1024 : index\n"
    "    %%chunk = arith.constant 65536 : index\n"
    "    %%whole = arith.divui %%length, %%chunk : index\n"
    "    %%some = arith.addi %%whole, %%c1 : index\n"
    "    %%count = arith.minui %%some, %%most : index\n"
    "    stream.return %%count, %%c1, %%c1 : index, index, index\n"
    "  }\n"
    "  builtin.module {\n"
    "    func.func @%1$s(%%low: i32, %%high: i32, %%binding: !stream.binding) {\n"
    "      %%c0 = arith.constant 0 : index\n"
    "      %%line = arith.constant %3$lld : index\n"
    "      %%past = arith.constant %7$lld : index\n"
    "      %%mask = arith.constant -%3$lld : index\n"
    "      %%c32 = arith.constant 32 : i64\n"
    "      %%low64 = arith.extui %%low : i32 to i64\n"
    "      %%high64 = arith.extui %%high : i32 to i64\n"
    "      %%shifted = arith.shli %%high64, %%c32 : i64\n"
    "      %%length64 = arith.ori %%low64, %%shifted : i64\n"
    "      %%length = arith.index_castui %%length64 : i64 to index\n"
    "      %%buffer = stream.binding.subspan %%binding[%%c0] : !stream.binding -> memref<?xi8>{%%length}\n"
    "      %%base = memref.extract_aligned_pointer_as_index %%buffer : memref<?xi8> -> index\n"
    "      %%limit = arith.addi %%base, %%length : index\n"
    "      %%begin = arith.andi %%base, %%mask : index\n"
    "      %%span = arith.subi %%limit, %%begin : index\n"
    "      %%rounded = arith.addi %%span, %%past : index\n"
    "      %%lines = arith.divui %%rounded, %%line : index\n"
    "      %%id = stream.dispatch.workgroup.id[0] : index\n"
    "      %%count = stream.dispatch.workgroup.count[0] : index\n"
    "      %%share = arith.ceildivui %%lines, %%count : index\n"
    "      %%bytes = arith.muli %%share, %%line : index\n"
    "      %%skipped = arith.muli %%id, %%bytes : index\n"
    "      %%first = arith.addi %%begin, %%skipped : index\n"
    "      %%unbounded = arith.addi %%first, %%bytes : index\n"
    "      %%end = arith.minui %%unbounded, %%limit : index\n"
    "      scf.for %%at = %%first to %%end step %%line {\n"
    "        %%address = arith.index_cast %%at : index to %4$s\n"
    "        llvm.inline_asm has_side_effects \"%5$s\", \"r,~{memory}\" %%address : (%4$s) -> ()\n"
    "      }\n"
    "      llvm.inline_asm has_side_effects \"%6$s\", \"~{memory}\" : () -> ()\n"
    "      return\n"
    "    }\n"
    "  }\n"
    "}\n";

static MlirOperation add_kernel(const zc_context *context, const zc_cpu *cpu, bool invalidate, const char *mark,
                                int64_t line) {
  instructions asm_text = choose_instructions(cpu, invalidate);
  const char *operation = invalidate ? "invalidate" : "flush";
  const char *name = zc_unique_symbol(
      context, zc_arena_format(context->arena, "zc_%s_%s_%lld", operation, asm_text.name, (long long)line));
  const char *address = cpu->kind == ZC_CPU_RISCV32 ? "i32" : "i64";
  return zc_append_parsed(context, zc_arena_format(context->arena, kernel_text, name, mark, (long long)line, address,
                                                   asm_text.line, asm_text.fence, (long long)line - 1));
}

MlirAttribute zc_maintenance_kernel(const zc_context *context, const zc_cpu *cpu, bool invalidate, int64_t line) {
  line = line < ZC_CPU_LINE ? line : ZC_CPU_LINE;
  const char *mark =
      zc_arena_format(context->arena, "%s %s %s %lld", cpu->architecture, invalidate ? "invalidate" : "flush",
                      choose_instructions(cpu, invalidate).name, (long long)line);
  MlirOperation executable = zc_find_marked(context, KERNEL_ATTRIBUTE, mark);
  if (mlirOperationIsNull(executable))
    executable = add_kernel(context, cpu, invalidate, mark, line);
  MlirAttribute none = {NULL};
  if (mlirOperationIsNull(executable))
    return none;
  MlirStringRef name = mlirStringAttrGetValue(zc_attribute(executable, "sym_name"));
  /* The export has the name that the executable had when it was made: it may have been renamed since. */
  MlirOperation export = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(executable)));
  MlirAttribute inner =
      mlirFlatSymbolRefAttrGet(context->mlir, mlirStringAttrGetValue(zc_attribute(export, "sym_name")));
  return mlirSymbolRefAttrGet(context->mlir, name, 1, &inner);
}
