/* Calls each mlir-c function that the project uses and checks its effect: we compile against LLVM's headers and run
 * with IREE's library, which is another version. check_mlirc_coverage.py finds functions that are not called here. To
 * add one: call it in the test of its group, and check what it does rather than that it returns. */
#include "testdata/units/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capi/text.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"
#include "stream_zc/Provider.h"

/* Exported by the library, not yet declared by the headers. */
void mlirEmitWarning(MlirLocation location, const char *message);
void mlirEmitRemark(MlirLocation location, const char *message);

static MlirType type(const char *text) {
  return mlirTypeParseGet(unit_context(), zc_str(text));
}

static MlirLocation location(const char *text) {
  return mlirLocationFromAttribute(unit_attribute(text));
}

static void expect_text(char *text, const char *expected) {
  assert_non_null(text);
  assert_string_equal(text, expected);
  free(text);
}

static void expect_attribute(MlirAttribute attribute, const char *expected) {
  char *text = NULL;
  mlirAttributePrint(attribute, unit_append, &text);
  expect_text(text, expected);
}

static void expect_type(MlirType found, const char *expected) {
  char *text = NULL;
  mlirTypePrint(found, unit_append, &text);
  expect_text(text, expected);
}

/* Support. */

static void strings_and_results(void **state) {
  (void)state;
  MlirStringRef text = mlirStringRefCreate("abcdef", 3);
  assert_int_equal(text.length, 3);
  assert_true(mlirStringRefEqual(text, mlirStringRefCreateFromCString("abc")));
  assert_false(mlirStringRefEqual(text, mlirStringRefCreateFromCString("abd")));
  assert_true(mlirLogicalResultIsSuccess(mlirLogicalResultSuccess()));
  assert_false(mlirLogicalResultIsSuccess(mlirLogicalResultFailure()));
  assert_true(mlirLogicalResultIsFailure(mlirLogicalResultFailure()));
  assert_false(mlirLogicalResultIsFailure(mlirLogicalResultSuccess()));
}

static void identifiers(void **state) {
  (void)state;
  MlirIdentifier identifier = mlirIdentifierGet(unit_context(), zc_str("zc.kind"));
  assert_true(zc_str_is(mlirIdentifierStr(identifier), "zc.kind"));
}

/* Attributes and types. */

static void attributes(void **state) {
  (void)state;
  assert_true(mlirAttributeIsNull(mlirAttributeGetNull()));
  unit_clear_diagnostics();
  assert_true(mlirAttributeIsNull(mlirAttributeParseGet(unit_context(), zc_str("#no.such<"))));
  assert_int_equal(unit_num_diagnostics(), 1);
  MlirAttribute one = mlirAttributeParseGet(unit_context(), zc_str("1 : i32"));
  expect_attribute(one, "1 : i32");
  assert_true(mlirAttributeEqual(one, unit_attribute("1 : i32")));
  assert_false(mlirAttributeEqual(one, unit_attribute("1 : i64")));
  assert_true(mlirContextEqual(mlirAttributeGetContext(one), unit_context()));
  expect_type(mlirAttributeGetType(one), "i32");
}

static void numbers_and_strings(void **state) {
  (void)state;
  MlirAttribute number = unit_attribute("-5 : i64"), flag = unit_attribute("true"), text = unit_attribute("\"x\"");
  assert_true(mlirAttributeIsAInteger(number) && !mlirAttributeIsAInteger(text));
  assert_true(mlirAttributeIsABool(flag) && !mlirAttributeIsABool(number));
  assert_true(mlirAttributeIsAString(text) && !mlirAttributeIsAString(flag));
  assert_int_equal(mlirIntegerAttrGetValueInt(number), -5);
  assert_int_equal(mlirIntegerAttrGetValueInt(unit_attribute("7 : index")), 7);
  assert_int_equal(mlirIntegerAttrGetValueSInt(unit_attribute("-3 : si8")), -3);
  assert_true(mlirIntegerAttrGetValueUInt(unit_attribute("200 : ui8")) == 200);
  assert_true(mlirBoolAttrGetValue(flag) && !mlirBoolAttrGetValue(unit_attribute("false")));
  assert_true(zc_str_is(mlirStringAttrGetValue(text), "x"));
  expect_attribute(mlirStringAttrGet(unit_context(), zc_str("a\"b")), "\"a\\22b\"");
  MlirAttribute symbol = unit_attribute("@\"a b\"");
  assert_true(mlirAttributeIsAFlatSymbolRef(symbol) && !mlirAttributeIsAFlatSymbolRef(unit_attribute("@a::@b")));
  assert_true(zc_str_is(mlirFlatSymbolRefAttrGetValue(symbol), "a b"));
  MlirAttribute real = mlirFloatAttrDoubleGet(unit_context(), mlirF64TypeGet(unit_context()), 0.1);
  assert_true(mlirAttributeIsAFloat(real) && !mlirAttributeIsAFloat(number));
  assert_true(mlirFloatAttrGetValueDouble(real) == 0.1);
  expect_type(mlirAttributeGetType(real), "f64");
}

static void made_attributes(void **state) {
  (void)state;
  MlirContext context = unit_context();
  MlirAttribute number = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), -7);
  expect_attribute(number, "-7 : i32");
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(context, zc_str("a b"));
  expect_attribute(symbol, "@\"a b\"");
  expect_attribute(mlirSymbolRefAttrGet(context, zc_str("x"), 1, &symbol), "@x::@\"a b\"");
  MlirAttribute both[] = {number, symbol};
  expect_attribute(mlirArrayAttrGet(context, 2, both), "[-7 : i32, @\"a b\"]");
  expect_attribute(mlirArrayAttrGet(context, 0, NULL), "[]");
  MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(context, zc_str("n")), number);
  assert_true(zc_str_is(mlirIdentifierStr(named.name), "n") && mlirAttributeEqual(named.attribute, number));
}

static void containers(void **state) {
  (void)state;
  MlirAttribute array = unit_attribute("[1, \"x\"]");
  assert_true(mlirAttributeIsAArray(array) && !mlirAttributeIsADictionary(array));
  assert_int_equal(mlirArrayAttrGetNumElements(array), 2);
  expect_attribute(mlirArrayAttrGetElement(array, 1), "\"x\"");
  MlirAttribute dictionary = unit_attribute("{b = 2, a = \"y\"}");
  assert_true(mlirAttributeIsADictionary(dictionary) && !mlirAttributeIsAArray(dictionary));
  assert_int_equal(mlirDictionaryAttrGetNumElements(dictionary), 2);
  MlirNamedAttribute first = mlirDictionaryAttrGetElement(dictionary, 0);
  assert_true(zc_str_is(mlirIdentifierStr(first.name), "a"));
  expect_attribute(first.attribute, "\"y\"");
  expect_attribute(mlirDictionaryAttrGetElementByName(dictionary, zc_str("b")), "2 : i64");
  assert_true(mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(dictionary, zc_str("c"))));
  const int32_t values[] = {3, -4};
  MlirAttribute dense = mlirDenseI32ArrayGet(unit_context(), 2, values);
  expect_attribute(dense, "array<i32: 3, -4>");
  assert_true(mlirAttributeIsADenseI32Array(dense) && !mlirAttributeIsADenseI32Array(unit_attribute("array<i64: 1>")));
  assert_int_equal(mlirDenseArrayGetNumElements(dense), 2);
  assert_int_equal(mlirDenseI32ArrayGetElement(dense, 1), -4);
  MlirAttribute wide = unit_attribute("array<i64: 1, -5000000000>");
  assert_true(mlirAttributeIsADenseI64Array(wide) && !mlirAttributeIsADenseI64Array(dense));
  assert_true(mlirDenseI64ArrayGetElement(wide, 1) == -5000000000);
}

static void types(void **state) {
  (void)state;
  expect_type(type("!stream.resource<external>"), "!stream.resource<external>");
  assert_true(mlirTypeEqual(type("i32"), type("i32")) && !mlirTypeEqual(type("i32"), type("si32")));
  assert_true(mlirTypeIsAIndex(type("index")) && !mlirTypeIsAIndex(type("i64")));
  assert_true(mlirTypeIsAInteger(type("i7")) && !mlirTypeIsAInteger(type("index")));
  assert_true(mlirTypeIsATensor(type("tensor<?xf32>")) && !mlirTypeIsATensor(type("f32")));
  assert_int_equal(mlirIntegerTypeGetWidth(type("i7")), 7);
  assert_true(mlirIntegerTypeIsSignless(type("i7")) && !mlirIntegerTypeIsSignless(type("si7")));
  assert_true(mlirIntegerTypeIsSigned(type("si8")) && !mlirIntegerTypeIsSigned(type("i8")));
  assert_true(mlirIntegerTypeIsUnsigned(type("ui8")) && !mlirIntegerTypeIsUnsigned(type("i8")));
}

/* Locations and diagnostics. */

static void shapes(void **state) {
  (void)state;
  MlirType matrix = type("tensor<4x8xf16>");
  assert_true(mlirTypeIsARankedTensor(matrix) && !mlirTypeIsARankedTensor(type("tensor<*xf16>")));
  assert_true(mlirShapedTypeHasStaticShape(matrix) && !mlirShapedTypeHasStaticShape(type("tensor<4x?xf16>")));
  assert_int_equal(mlirShapedTypeGetRank(matrix), 2);
  assert_int_equal(mlirShapedTypeGetDimSize(matrix, 1), 8);
  MlirType element = mlirShapedTypeGetElementType(matrix);
  assert_true(mlirTypeEqual(element, type("f16")));
  assert_true(mlirTypeIsAFloat(element) && !mlirTypeIsAFloat(type("i16")));
  assert_int_equal(mlirFloatTypeGetWidth(element), 16);
  assert_true(mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(matrix)));
  MlirType encoded = type("tensor<4xf32, \"packed\">");
  expect_attribute(mlirRankedTensorTypeGetEncoding(encoded), "\"packed\"");
}

static void locations(void **state) {
  (void)state;
  MlirLocation file = mlirLocationFileLineColGet(unit_context(), zc_str("m.mlir"), 5, 3);
  assert_false(mlirLocationIsNull(file));
  assert_true(mlirLocationIsNull((MlirLocation){NULL}));
  assert_true(mlirLocationEqual(file, location("loc(\"m.mlir\":5:3)")));
  assert_true(mlirLocationIsAFileLineColRange(file) && !mlirLocationIsAFileLineColRange(location("loc(unknown)")));
  assert_true(zc_str_is(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(file)), "m.mlir"));
  assert_int_equal(mlirLocationFileLineColRangeGetStartLine(file), 5);
  assert_int_equal(mlirLocationFileLineColRangeGetStartColumn(file), 3);
  MlirLocation name = location("loc(\"n\"(\"m.mlir\":5:3))");
  assert_true(mlirLocationIsAName(name) && !mlirLocationIsAName(file));
  assert_true(mlirLocationEqual(mlirLocationNameGetChildLoc(name), file));
  MlirLocation call = location("loc(callsite(\"m.mlir\":5:3 at unknown))");
  assert_true(mlirLocationIsACallSite(call) && !mlirLocationIsACallSite(name));
  assert_true(mlirLocationEqual(mlirLocationCallSiteGetCallee(call), file));
  assert_true(mlirLocationEqual(mlirLocationCallSiteGetCaller(call), mlirLocationUnknownGet(unit_context())));
  MlirLocation fused = location("loc(fused<{zc.kind = \"alias\"}>[\"m.mlir\":5:3, \"n\"])");
  assert_true(mlirLocationIsAFused(fused) && !mlirLocationIsAFused(call));
  assert_int_equal(mlirLocationFusedGetNumLocations(fused), 2);
  MlirLocation parts[2];
  mlirLocationFusedGetLocations(fused, parts);
  assert_true(mlirLocationEqual(parts[0], file) && mlirLocationIsAName(parts[1]));
  expect_attribute(mlirLocationFusedGetMetadata(fused), "{zc.kind = \"alias\"}");
}

static void made_locations(void **state) {
  (void)state;
  MlirNamedAttribute entry = mlirNamedAttributeGet(mlirIdentifierGet(unit_context(), zc_str("zc.kind")),
                                                   mlirStringAttrGet(unit_context(), zc_str("alias")));
  MlirAttribute metadata = mlirDictionaryAttrGet(unit_context(), 1, &entry);
  expect_attribute(metadata, "{zc.kind = \"alias\"}");
  MlirLocation file = location("loc(\"m.mlir\":5:3)");
  assert_true(mlirLocationEqual(mlirLocationFusedGet(unit_context(), 1, &file, metadata),
                                location("loc(fused<{zc.kind = \"alias\"}>[\"m.mlir\":5:3])")));
  MlirLocation parts[] = {file, location("loc(\"n\")")};
  assert_true(mlirLocationEqual(mlirLocationFusedGet(unit_context(), 2, parts, mlirAttributeGetNull()),
                                location("loc(fused[\"m.mlir\":5:3, \"n\"])")));
}

static void emitted_diagnostics(void **state) {
  (void)state;
  unit_clear_diagnostics();
  MlirLocation at = location("loc(\"m.mlir\":5:3)");
  mlirEmitError(at, "one");
  mlirEmitWarning(at, "two");
  mlirEmitRemark(at, "three");
  assert_string_equal(unit_diagnostics(), "loc(\"m.mlir\":5:3): error: one\nloc(\"m.mlir\":5:3): warning: two\n"
                                          "loc(\"m.mlir\":5:3): remark: three\n");
  unit_clear_diagnostics();
}

typedef struct seen {
  int calls, deleted;
  MlirDiagnosticSeverity severity;
  bool located;
  intptr_t notes;
  char *text, *all_notes;
} seen;

static MlirLogicalResult see(MlirDiagnostic diagnostic, void *data) {
  seen *to = data;
  ++to->calls;
  to->severity = mlirDiagnosticGetSeverity(diagnostic);
  to->located = mlirLocationIsAFileLineColRange(mlirDiagnosticGetLocation(diagnostic));
  mlirDiagnosticPrint(diagnostic, unit_append, &to->text);
  to->notes = mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < to->notes; ++i)
    mlirDiagnosticPrint(mlirDiagnosticGetNote(diagnostic, i), unit_append, &to->all_notes);
  return mlirLogicalResultSuccess();
}

static void forget(void *data) {
  ++((seen *)data)->deleted;
}

static void handled_diagnostics(void **state) {
  (void)state;
  seen found = {0};
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(unit_context(), see, &found, forget);
  /* A redefinition has a note at the first definition. */
  MlirOperation none = mlirOperationCreateParse(
      unit_context(), zc_str("module {\nutil.global private @a : index\nutil.global private @a : index\n}"),
      zc_str("two.mlir"));
  mlirContextDetachDiagnosticHandler(unit_context(), handler);
  assert_true(mlirOperationIsNull(none));
  assert_int_equal(found.calls, 1);
  assert_int_equal(found.deleted, 1);
  assert_int_equal(found.severity, MlirDiagnosticError);
  assert_true(found.located);
  assert_string_equal(found.text, "redefinition of symbol named 'a'");
  assert_true(found.notes >= 1);
  assert_non_null(strstr(found.all_notes, "existing symbol"));
  unit_clear_diagnostics();
  mlirEmitError(location("loc(unknown)"), "after");
  assert_int_equal(found.calls, 1);
  assert_int_equal(unit_num_diagnostics(), 1);
  free(found.text);
  free(found.all_notes);
}

/* Operations, regions, blocks. */

/* As it prints. */
static const char program[] = "module attributes {zc.a = 1 : i64, zc.b = \"x\"} {\n"
                              "  util.func public @f(%arg0: index, %arg1: index) -> index {\n"
                              "    %c4 = arith.constant 4 : index\n"
                              "    %0 = arith.addi %arg0, %c4 : index\n"
                              "    cf.br ^bb1(%0 : index)\n"
                              "  ^bb1(%1: index):  // pred: ^bb0\n"
                              "    %2 = arith.muli %1, %1 : index\n"
                              "    util.return %2 : index\n"
                              "  }\n"
                              "}\n";

/* What most of the tests below look at. */
typedef struct view {
  MlirModule module;
  MlirOperation root, function, constant, add, branch, multiply;
  MlirRegion region;
  MlirBlock entry, next;
} view;

static view look(void) {
  view v;
  v.module = unit_module(program);
  v.root = mlirModuleGetOperation(v.module);
  v.function = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(v.root)));
  v.region = mlirOperationGetRegion(v.function, 0);
  v.entry = mlirRegionGetFirstBlock(v.region);
  v.next = mlirBlockGetNextInRegion(v.entry);
  v.constant = mlirBlockGetFirstOperation(v.entry);
  v.add = mlirOperationGetNextInBlock(v.constant);
  v.branch = mlirOperationGetNextInBlock(v.add);
  v.multiply = mlirBlockGetFirstOperation(v.next);
  return v;
}

static void is_named(MlirOperation op, const char *name) {
  assert_true(zc_str_is(mlirIdentifierStr(mlirOperationGetName(op)), name));
}

static void structure(void **state) {
  (void)state;
  view v = look();
  is_named(v.root, "builtin.module");
  is_named(v.function, "util.func");
  is_named(v.multiply, "arith.muli");
  assert_true(mlirOperationIsNull(mlirOperationGetNextInBlock(v.branch)));
  assert_int_equal(mlirOperationGetNumSuccessors(v.branch), 1);
  assert_int_equal(mlirOperationGetNumSuccessors(v.add), 0);
  assert_true(mlirBlockEqual(mlirOperationGetSuccessor(v.branch, 0), v.next));
  assert_true(mlirOperationIsNull(mlirOperationGetParentOperation(v.root)));
  assert_true(mlirOperationEqual(mlirOperationGetParentOperation(v.add), v.function));
  assert_false(mlirOperationEqual(v.add, v.branch));
  assert_true(mlirBlockEqual(mlirOperationGetBlock(v.add), v.entry) && !mlirBlockEqual(v.entry, v.next));
  assert_true(mlirBlockIsNull(mlirBlockGetNextInRegion(v.next)));
  assert_true(mlirOperationEqual(mlirBlockGetParentOperation(v.next), v.function));
  assert_int_equal(mlirOperationGetNumRegions(v.function), 1);
  assert_int_equal(mlirOperationGetNumRegions(v.add), 0);
  assert_true(mlirRegionIsNull(mlirOperationGetFirstRegion(v.add)));
  assert_true(mlirRegionIsNull(mlirRegionGetNextInOperation(v.region)));
  assert_true(mlirContextEqual(mlirOperationGetContext(v.add), unit_context()));
  mlirModuleDestroy(v.module);
}

static void parsing(void **state) {
  (void)state;
  unit_clear_diagnostics();
  assert_true(mlirModuleIsNull(mlirModuleCreateParse(unit_context(), zc_str("module {"))));
  assert_int_equal(unit_num_diagnostics(), 1);
  MlirOperation op = mlirOperationCreateParse(unit_context(), zc_str("module {}"), zc_str("name.mlir"));
  assert_true(mlirLocationEqual(mlirOperationGetLocation(op), location("loc(\"name.mlir\":1:1)")));
  mlirOperationSetLocation(op, location("loc(\"other.mlir\":2:2)"));
  assert_true(mlirLocationEqual(mlirOperationGetLocation(op), location("loc(\"other.mlir\":2:2)")));
  mlirOperationDestroy(op);
}

static void attributes_of_operations(void **state) {
  (void)state;
  view v = look();
  assert_int_equal(mlirOperationGetNumAttributes(v.root), 2);
  MlirNamedAttribute second = mlirOperationGetAttribute(v.root, 1);
  assert_true(zc_str_is(mlirIdentifierStr(second.name), "zc.b"));
  expect_attribute(second.attribute, "\"x\"");
  expect_attribute(mlirOperationGetAttributeByName(v.root, zc_str("zc.a")), "1 : i64");
  assert_true(mlirAttributeIsNull(mlirOperationGetAttributeByName(v.root, zc_str("zc.c"))));
  /* Inherent attributes, too: those that the op keeps as properties. */
  expect_attribute(mlirOperationGetAttributeByName(v.constant, zc_str("value")), "4 : index");
  mlirOperationSetAttributeByName(v.root, zc_str("zc.a"), unit_attribute("2 : i64"));
  expect_attribute(mlirOperationGetAttributeByName(v.root, zc_str("zc.a")), "2 : i64");
  assert_true(mlirOperationRemoveAttributeByName(v.root, zc_str("zc.a")));
  assert_false(mlirOperationRemoveAttributeByName(v.root, zc_str("zc.a")));
  assert_int_equal(mlirOperationGetNumAttributes(v.root), 1);
  mlirOperationSetDiscardableAttributeByName(v.add, zc_str("zc.d"), unit_attribute("unit"));
  expect_attribute(mlirOperationGetAttributeByName(v.add, zc_str("zc.d")), "unit");
  mlirModuleDestroy(v.module);
}

static const char transfer[] =
    "util.func private @f(%r: !stream.resource<transient>, %n: index) -> !stream.resource<transient> {\n"
    "  %t = stream.async.transfer %r : !stream.resource<transient>{%n} from(#hal.device.affinity<@a>) ->\n"
    "      !stream.resource<transient>{%n}\n"
    "  util.return %t : !stream.resource<transient>\n"
    "}\n";

/* A null attribute takes one away that is optional. */
static void inherent_attributes_change(void **state) {
  (void)state;
  MlirModule module = unit_module(transfer);
  MlirOperation root = mlirModuleGetOperation(module);
  MlirOperation function = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(root)));
  MlirOperation op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function)));
  is_named(op, "stream.async.transfer");
  mlirOperationSetInherentAttributeByName(op, zc_str("execution_affinity"), unit_attribute("#hal.device.affinity<@b>"));
  expect_attribute(mlirOperationGetAttributeByName(op, zc_str("execution_affinity")), "#hal.device.affinity<@b>");
  mlirOperationSetInherentAttributeByName(op, zc_str("source_affinity"), mlirAttributeGetNull());
  assert_true(mlirAttributeIsNull(mlirOperationGetAttributeByName(op, zc_str("source_affinity"))));
  assert_true(mlirOperationVerify(op));
  mlirModuleDestroy(module);
}

static void operands_and_results(void **state) {
  (void)state;
  view v = look();
  MlirValue x = mlirBlockGetArgument(v.entry, 0), y = mlirBlockGetArgument(v.entry, 1);
  MlirValue four = mlirOperationGetResult(v.constant, 0), sum = mlirOperationGetResult(v.add, 0);
  assert_int_equal(mlirOperationGetNumOperands(v.add), 2);
  assert_int_equal(mlirOperationGetNumResults(v.add), 1);
  assert_int_equal(mlirOperationGetNumResults(v.branch), 0);
  assert_true(mlirValueEqual(mlirOperationGetOperand(v.add, 0), x) && !mlirValueEqual(x, y));
  expect_type(mlirValueGetType(sum), "index");
  assert_true(mlirValueIsAOpResult(sum) && !mlirValueIsAOpResult(x));
  assert_true(mlirOperationEqual(mlirOpResultGetOwner(sum), v.add));
  assert_int_equal(mlirOpResultGetResultNumber(sum), 0);
  mlirOperationSetOperand(v.add, 0, y);
  assert_true(mlirValueEqual(mlirOperationGetOperand(v.add, 0), y));
  MlirOpOperand use = mlirValueGetFirstUse(four);
  assert_true(mlirOperationEqual(mlirOpOperandGetOwner(use), v.add));
  assert_int_equal(mlirOpOperandGetOperandNumber(use), 1);
  assert_true(mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)));
  MlirValue z = mlirBlockGetArgument(v.next, 0);
  use = mlirValueGetFirstUse(z);
  assert_int_equal(mlirOpOperandGetOperandNumber(use) + mlirOpOperandGetOperandNumber(mlirOpOperandGetNextUse(use)), 1);
  mlirValueReplaceAllUsesOfWith(z, sum);
  assert_true(mlirOpOperandIsNull(mlirValueGetFirstUse(z)));
  assert_true(mlirValueEqual(mlirOperationGetOperand(v.multiply, 1), sum));
  mlirModuleDestroy(v.module);
}

static void block_arguments(void **state) {
  (void)state;
  view v = look();
  assert_int_equal(mlirBlockGetNumArguments(v.entry), 2);
  MlirValue y = mlirBlockGetArgument(v.entry, 1);
  assert_true(mlirBlockEqual(mlirBlockArgumentGetOwner(y), v.entry));
  mlirBlockArgumentSetLocation(y, location("loc(\"arg.mlir\":7:8)"));
  assert_true(mlirLocationEqual(mlirValueGetLocation(y), location("loc(\"arg.mlir\":7:8)")));
  mlirValueSetType(y, type("i32"));
  expect_type(mlirValueGetType(y), "i32");
  mlirBlockEraseArgument(v.entry, 1);
  assert_int_equal(mlirBlockGetNumArguments(v.entry), 1);
  mlirModuleDestroy(v.module);
}

static void what_the_checker_reads(void **state) {
  (void)state;
  MlirAttribute nested = unit_attribute("@ex::@entry");
  assert_true(mlirAttributeIsASymbolRef(nested) && !mlirAttributeIsASymbolRef(unit_attribute("1 : i32")));
  assert_true(zc_str_is(mlirSymbolRefAttrGetRootReference(nested), "ex"));
  assert_true(zc_str_is(mlirSymbolRefAttrGetLeafReference(nested), "entry"));
  MlirAttribute of_type = unit_attribute("i32");
  assert_true(mlirAttributeIsAType(of_type) && !mlirAttributeIsAType(nested));
  expect_type(mlirTypeAttrGetValue(of_type), "i32");
  char *text = NULL;
  mlirLocationPrint(location("loc(\"m.mlir\":5:3)"), unit_append, &text);
  expect_text(text, "loc(\"m.mlir\":5:3)");
  view v = look();
  MlirValue y = mlirBlockGetArgument(v.entry, 1);
  MlirOperation first = mlirBlockGetFirstOperation(v.entry);
  assert_true(mlirValueIsABlockArgument(y) && !mlirValueIsABlockArgument(mlirOperationGetResult(first, 0)));
  assert_int_equal(mlirBlockArgumentGetArgNumber(y), 1);
  assert_true(mlirOperationIsNull(mlirOperationGetNextInBlock(mlirBlockGetTerminator(v.entry))));
  mlirModuleDestroy(v.module);
}

static void creation_and_moves(void **state) {
  (void)state;
  view v = look();
  MlirOperationState wanted = mlirOperationStateGet(zc_str("arith.subi"), location("loc(\"new.mlir\":1:1)"));
  MlirValue operands[] = {mlirBlockGetArgument(v.entry, 0), mlirBlockGetArgument(v.entry, 1)};
  MlirType results[] = {type("index")};
  MlirNamedAttribute extra = {mlirIdentifierGet(unit_context(), zc_str("zc.x")), unit_attribute("unit")};
  mlirOperationStateAddOperands(&wanted, 2, operands);
  mlirOperationStateAddResults(&wanted, 1, results);
  mlirOperationStateAddAttributes(&wanted, 1, &extra);
  MlirOperation subtract = mlirOperationCreate(&wanted);
  assert_false(mlirOperationIsNull(subtract));
  mlirBlockInsertOwnedOperationBefore(v.entry, v.add, subtract);
  assert_true(mlirOperationEqual(mlirOperationGetNextInBlock(v.constant), subtract));
  assert_true(mlirValueEqual(mlirOperationGetOperand(subtract, 1), operands[1]));
  expect_attribute(mlirOperationGetAttributeByName(subtract, zc_str("zc.x")), "unit");
  mlirOperationMoveBefore(subtract, v.branch);
  assert_true(mlirOperationEqual(mlirOperationGetNextInBlock(v.add), subtract));
  MlirOperation clone = mlirOperationClone(subtract);
  assert_false(mlirOperationEqual(clone, subtract));
  assert_true(mlirBlockIsNull(mlirOperationGetBlock(clone)));
  is_named(clone, "arith.subi");
  mlirOperationDestroy(clone);
  assert_true(mlirOperationVerify(v.root));
  mlirOperationDestroy(subtract);
  assert_true(mlirOperationEqual(mlirOperationGetNextInBlock(v.add), v.branch));
  mlirModuleDestroy(v.module);
}

static void predecessors(void **state) {
  (void)state;
  view v = look();
  assert_int_equal(mlirBlockGetNumPredecessors(v.entry), 0);
  assert_int_equal(mlirBlockGetNumPredecessors(v.next), 1);
  assert_true(mlirBlockEqual(mlirBlockGetPredecessor(v.next, 0), v.entry));
  mlirModuleDestroy(v.module);
}

static void places_in_a_block(void **state) {
  (void)state;
  view v = look();
  MlirOperation first = mlirOperationClone(v.constant);
  mlirBlockInsertOwnedOperation(v.entry, 0, first);
  assert_true(mlirOperationEqual(mlirBlockGetFirstOperation(v.entry), first));
  mlirOperationMoveAfter(first, v.constant);
  assert_true(mlirOperationEqual(mlirBlockGetFirstOperation(v.entry), v.constant));
  assert_true(mlirOperationEqual(mlirOperationGetNextInBlock(v.constant), first));
  assert_true(mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(first, 0)), mlirIndexTypeGet(unit_context())));
  mlirModuleDestroy(v.module);
}

static void symbol_tables(void **state) {
  (void)state;
  view v = look();
  MlirSymbolTable table = mlirSymbolTableCreate(v.root);
  assert_true(mlirOperationEqual(mlirSymbolTableLookup(table, zc_str("f")), v.function));
  assert_true(mlirOperationIsNull(mlirSymbolTableLookup(table, zc_str("g"))));
  mlirSymbolTableDestroy(table);
  mlirModuleDestroy(v.module);
}

static void appended_operations(void **state) {
  (void)state;
  view v = look();
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(v.root));
  MlirOperation made = mlirOperationCreateParse(unit_context(), zc_str("util.func private @made()"), zc_str("made"));
  mlirBlockAppendOwnedOperation(body, made);
  assert_true(mlirBlockEqual(mlirOperationGetBlock(made), body));
  assert_true(mlirOperationIsNull(mlirOperationGetNextInBlock(made)));
  assert_true(mlirContextIsRegisteredOperation(unit_context(), zc_str("util.func")));
  assert_false(mlirContextIsRegisteredOperation(unit_context(), zc_str("util.none")));
  mlirModuleDestroy(v.module);
}

static void regions_move(void **state) {
  (void)state;
  view v = look();
  MlirOperationState wanted = mlirOperationStateGet(zc_str("builtin.module"), location("loc(unknown)"));
  MlirRegion body = mlirRegionCreate();
  assert_true(mlirBlockIsNull(mlirRegionGetFirstBlock(body)));
  mlirRegionTakeBody(body, mlirOperationGetFirstRegion(v.root));
  assert_true(mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(v.root))));
  mlirOperationStateAddOwnedRegions(&wanted, 1, &body);
  MlirOperation created = mlirOperationCreate(&wanted);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(created));
  assert_true(mlirOperationEqual(mlirBlockGetFirstOperation(block), v.function));
  mlirOperationDestroy(created);
  mlirModuleDestroy(v.module);
}

static void blocks_are_made(void **state) {
  (void)state;
  view v = look();
  MlirType types[] = {type("index"), type("i32")};
  MlirLocation locations[] = {location("loc(unknown)"), location("loc(unknown)")};
  MlirBlock block = mlirBlockCreate(1, types, locations);
  MlirValue added = mlirBlockAddArgument(block, types[1], locations[1]);
  assert_true(mlirValueEqual(mlirBlockGetArgument(block, 1), added));
  assert_true(mlirTypeEqual(mlirValueGetType(added), types[1]));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  assert_true(mlirBlockEqual(mlirRegionGetFirstBlock(region), block));
  mlirRegionDestroy(region);
  mlirModuleDestroy(v.module);
}

static void operations_go_behind_others(void **state) {
  (void)state;
  view v = look();
  MlirOperation after = mlirOperationClone(v.constant);
  mlirBlockInsertOwnedOperationAfter(v.entry, v.constant, after);
  assert_true(mlirOperationEqual(mlirOperationGetNextInBlock(v.constant), after));
  assert_true(mlirAttributeEqual(mlirUnitAttrGet(unit_context()), unit_attribute("unit")));
  mlirModuleDestroy(v.module);
}

/* Inherent attributes in a state's list become properties. */
static void inherent_attributes_can_be_given(void **state) {
  (void)state;
  view v = look();
  MlirOperationState wanted = mlirOperationStateGet(zc_str("arith.constant"), location("loc(unknown)"));
  MlirNamedAttribute value = {mlirIdentifierGet(unit_context(), zc_str("value")), unit_attribute("9 : index")};
  MlirType results[] = {type("index")};
  mlirOperationStateAddResults(&wanted, 1, results);
  mlirOperationStateAddAttributes(&wanted, 1, &value);
  MlirOperation nine = mlirOperationCreate(&wanted);
  mlirBlockInsertOwnedOperationBefore(v.entry, v.add, nine);
  assert_true(mlirOperationVerify(v.root));
  expect_attribute(mlirOperationGetAttributeByName(nine, zc_str("value")), "9 : index");
  mlirModuleDestroy(v.module);
}

typedef struct walked {
  int count;
  MlirWalkResult answer; ///< At the function.
  char *names;
} walked;

static MlirWalkResult visit(MlirOperation op, void *data) {
  walked *to = data;
  ++to->count;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  unit_append(name, &to->names);
  unit_append(zc_str(" "), &to->names);
  return zc_str_is(name, "util.func") ? to->answer : MlirWalkResultAdvance;
}

static void walks(void **state) {
  (void)state;
  view v = look();
  walked pre = {.answer = MlirWalkResultAdvance}, post = pre, skip = {.answer = MlirWalkResultSkip},
         stop = {.answer = MlirWalkResultInterrupt};
  mlirOperationWalk(v.root, visit, &pre, MlirWalkPreOrder);
  mlirOperationWalk(v.root, visit, &post, MlirWalkPostOrder);
  mlirOperationWalk(v.root, visit, &skip, MlirWalkPreOrder);
  mlirOperationWalk(v.root, visit, &stop, MlirWalkPreOrder);
  expect_text(pre.names, "builtin.module util.func arith.constant arith.addi cf.br arith.muli util.return ");
  expect_text(post.names, "arith.constant arith.addi cf.br arith.muli util.return util.func builtin.module ");
  expect_text(skip.names, "builtin.module util.func ");
  expect_text(stop.names, "builtin.module util.func ");
  assert_int_equal(pre.count, 7);
  mlirModuleDestroy(v.module);
}

/* Printing. */

static char *print(MlirOperation op, MlirOpPrintingFlags flags) {
  char *text = NULL;
  mlirOperationPrintWithFlags(op, flags, unit_append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  return text;
}

static void prints_with(MlirOperation op, MlirOpPrintingFlags flags, const char *part) {
  char *text = print(op, flags);
  if (!strstr(text, part))
    fail_msg("no '%s' in: %s", part, text);
  free(text);
}

static void printing(void **state) {
  (void)state;
  view v = look();
  expect_text(print(v.root, mlirOpPrintingFlagsCreate()), program);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  prints_with(v.add, flags, "\"arith.addi\"(");
  flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  prints_with(v.root, flags, "#loc");
  flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOpPrintingFlagsUseLocalScope(flags);
  prints_with(v.add, flags, "loc(\"-\":4:");
  flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsElideLargeElementsAttrs(flags, 2);
  mlirOperationSetAttributeByName(v.root, zc_str("zc.d"), unit_attribute("dense<[1, 2, 3]> : tensor<3xi32>"));
  prints_with(v.root, flags, "dense_resource<__elided__>");
  mlirModuleDestroy(v.module);
}

static void printing_of_resources_and_broken_ir(void **state) {
  (void)state;
  MlirModule module = unit_module("module attributes {zc.r = dense_resource<big> : tensor<4xi8>} {}\n"
                                  "{-# dialect_resources: {builtin: {big: \"0x0100000001020304\"}} #-}");
  prints_with(mlirModuleGetOperation(module), mlirOpPrintingFlagsCreate(), "0x0100000001020304");
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsElideLargeResourceString(flags, 4);
  char *text = print(mlirModuleGetOperation(module), flags);
  assert_null(strstr(text, "0x0100000001020304"));
  free(text);
  mlirModuleDestroy(module);
  /* Without the flag, IR that doesn't verify prints in generic form. */
  view v = look();
  mlirOperationSetAttributeByName(v.root, zc_str("undotted"), unit_attribute("unit"));
  unit_clear_diagnostics();
  prints_with(v.root, mlirOpPrintingFlagsCreate(), "\"arith.addi\"(");
  flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsAssumeVerified(flags);
  prints_with(v.root, flags, "= arith.addi");
  unit_clear_diagnostics();
  mlirModuleDestroy(v.module);
}

/* Bytecode has null characters, so it is no C string. */
typedef struct bytes {
  char *data;
  size_t length;
} bytes;

static void append_bytes(MlirStringRef piece, void *data) {
  bytes *to = data;
  char *longer = realloc(to->data, to->length + piece.length + 1);
  if (!longer)
    abort();
  to->data = longer;
  memcpy(to->data + to->length, piece.data, piece.length);
  to->length += piece.length;
}

static void bytecode(void **state) {
  (void)state;
  view v = look();
  bytes written = {NULL, 0};
  mlirOperationWriteBytecode(v.root, append_bytes, &written);
  assert_true(written.length > 4);
  assert_memory_equal(written.data, "ML\xEFR", 4);
  /* The parser wants a null character behind the text. */
  written.data[written.length] = 0;
  MlirModule read = mlirModuleCreateParse(unit_context(), mlirStringRefCreate(written.data, written.length));
  assert_false(mlirModuleIsNull(read));
  expect_text(print(mlirModuleGetOperation(read), mlirOpPrintingFlagsCreate()), program);
  mlirModuleDestroy(read);
  free(written.data);
  mlirModuleDestroy(v.module);
}

/* Contexts. */

static void contexts(void **state) {
  (void)state;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  assert_int_equal(mlirContextGetNumRegisteredDialects(context), mlirContextGetNumLoadedDialects(context));
  assert_false(mlirContextGetAllowUnregisteredDialects(context));
  mlirContextSetAllowUnregisteredDialects(context, true);
  assert_true(mlirContextGetAllowUnregisteredDialects(context));
  mlirContextSetAllowUnregisteredDialects(context, false);
  assert_int_equal(mlirContextGetNumThreads(context), 1);
  mlirContextEnableMultithreading(context, true);
  assert_true(mlirContextGetNumThreads(context) >= 1);
  mlirContextDestroy(context);
  context = streamZcContextCreate(true);
  assert_true(mlirContextGetNumRegisteredDialects(context) > 20);
  mlirContextDestroy(context);
}

/* Passes. */

typedef struct counts {
  int constructed, destroyed, runs;
  bool failing;
} counts;

static void on_construct(void *data) {
  ++((counts *)data)->constructed;
}
static void on_destruct(void *data) {
  ++((counts *)data)->destroyed;
}
static void *on_clone(void *data) {
  return data;
}

static void on_run(MlirOperation op, MlirExternalPass pass, void *data) {
  counts *to = data;
  ++to->runs;
  is_named(op, "builtin.module");
  mlirOperationSetAttributeByName(op, zc_str("zc.seen"), unit_attribute("unit"));
  if (to->failing)
    mlirExternalPassSignalFailure(pass);
}

static MlirPass make_pass(counts *to) {
  static _Alignas(8) char id;
  MlirExternalPassCallbacks callbacks = {on_construct, on_destruct, NULL, on_clone, on_run};
  return mlirCreateExternalPass(mlirTypeIDCreate(&id), zc_str("Counting"), zc_str("counting"), zc_str("counts"),
                                zc_str("builtin.module"), 0, NULL, callbacks, to);
}

static MlirPassManager make_manager(void) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(unit_context(), zc_str("builtin.module"));
  assert_false(mlirPassManagerIsNull(manager));
  return manager;
}

static void external_passes(void **state) {
  (void)state;
  assert_true(mlirPassManagerIsNull((MlirPassManager){NULL}));
  for (int failing = 0; failing < 2; ++failing) {
    view v = look();
    counts counted = {.failing = failing};
    MlirPassManager manager = make_manager();
    mlirOpPassManagerAddOwnedPass(mlirPassManagerGetAsOpPassManager(manager), make_pass(&counted));
    MlirLogicalResult result = mlirPassManagerRunOnOp(manager, v.root);
    mlirPassManagerDestroy(manager);
    assert_int_equal(mlirLogicalResultIsFailure(result), failing);
    assert_int_equal(counted.runs, 1);
    assert_int_equal(counted.constructed, 1);
    assert_int_equal(counted.destroyed, 1);
    expect_attribute(mlirOperationGetAttributeByName(v.root, zc_str("zc.seen")), "unit");
    mlirModuleDestroy(v.module);
  }
}

static void textual_pipelines(void **state) {
  (void)state;
  view v = look();
  MlirPassManager manager = make_manager();
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  char *complaint = NULL;
  assert_true(mlirLogicalResultIsFailure(
      mlirOpPassManagerAddPipeline(passes, zc_str("no-such-pass"), unit_append, &complaint)));
  assert_non_null(strstr(complaint, "no-such-pass"));
  free(complaint);
  complaint = NULL;
  assert_true(mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(passes, zc_str("cse,iree-util-fold-globals"), unit_append, &complaint)));
  char *text = NULL;
  mlirPrintPassPipeline(passes, unit_append, &text);
  assert_non_null(strstr(text, "cse,iree-util-fold-globals"));
  free(text);
  assert_true(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, v.root)));
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(v.module);
}

static void the_verifier_runs_between_passes(void **state) {
  (void)state;
  for (int enabled = 0; enabled < 2; ++enabled) {
    view v = look();
    mlirOperationSetAttributeByName(v.root, zc_str("undotted"), unit_attribute("unit"));
    counts counted = {0};
    MlirPassManager manager = make_manager();
    mlirOpPassManagerAddOwnedPass(mlirPassManagerGetAsOpPassManager(manager), make_pass(&counted));
    mlirPassManagerEnableVerifier(manager, enabled);
    assert_int_equal(mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, v.root)), enabled);
    mlirPassManagerDestroy(manager);
    mlirModuleDestroy(v.module);
  }
  unit_clear_diagnostics();
}

static MlirLogicalResult run_with(void (*enable)(MlirPassManager)) {
  view v = look();
  counts counted = {0};
  MlirPassManager manager = make_manager();
  mlirOpPassManagerAddOwnedPass(mlirPassManagerGetAsOpPassManager(manager), make_pass(&counted));
  enable(manager);
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, v.root);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(v.module);
  return result;
}

/* Runs a pass, and gives back what the library wrote to standard error. The caller frees it. */
static char *errors_of_run(void (*enable)(MlirPassManager)) {
  char path[] = "/tmp/test_mlirc_XXXXXX";
  int file = mkstemp(path);
  int saved = dup(STDERR_FILENO);
  if (file < 0 || saved < 0 || dup2(file, STDERR_FILENO) < 0)
    abort();
  MlirLogicalResult result = run_with(enable);
  if (dup2(saved, STDERR_FILENO) < 0)
    abort();
  close(saved);
  close(file);
  assert_true(mlirLogicalResultIsSuccess(result));
  char *text = unit_read_file(path);
  unlink(path);
  return text;
}

static void enable_printing(MlirPassManager manager) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirPassManagerEnableIRPrinting(manager, true, true, false, false, false, flags, (MlirStringRef){NULL, 0});
  mlirOpPrintingFlagsDestroy(flags);
}

static void enable_timing(MlirPassManager manager) {
  mlirPassManagerEnableTiming(manager);
}

static void enable_statistics(MlirPassManager manager) {
  mlirPassManagerEnableStatistics(manager, MLIR_PASS_DISPLAY_MODE_PIPELINE);
}

static void reports_of_the_pass_manager(void **state) {
  (void)state;
  static const struct {
    void (*enable)(MlirPassManager);
    const char *part;
  } cases[] = {{enable_printing, "IR Dump Before"},
               {enable_printing, "IR Dump After"},
               {enable_timing, "Execution time report"},
               {enable_statistics, "Pass statistics report"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *text = errors_of_run(cases[i].enable);
    if (!strstr(text, cases[i].part))
      fail_msg("no '%s' in: %s", cases[i].part, text);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_and_results),
      cmocka_unit_test(identifiers),
      cmocka_unit_test(attributes),
      cmocka_unit_test(numbers_and_strings),
      cmocka_unit_test(made_attributes),
      cmocka_unit_test(containers),
      cmocka_unit_test(types),
      cmocka_unit_test(shapes),
      cmocka_unit_test(locations),
      cmocka_unit_test(made_locations),
      cmocka_unit_test(emitted_diagnostics),
      cmocka_unit_test(handled_diagnostics),
      cmocka_unit_test(structure),
      cmocka_unit_test(parsing),
      cmocka_unit_test(attributes_of_operations),
      cmocka_unit_test(inherent_attributes_change),
      cmocka_unit_test(operands_and_results),
      cmocka_unit_test(block_arguments),
      cmocka_unit_test(what_the_checker_reads),
      cmocka_unit_test(creation_and_moves),
      cmocka_unit_test(predecessors),
      cmocka_unit_test(places_in_a_block),
      cmocka_unit_test(symbol_tables),
      cmocka_unit_test(appended_operations),
      cmocka_unit_test(regions_move),
      cmocka_unit_test(blocks_are_made),
      cmocka_unit_test(operations_go_behind_others),
      cmocka_unit_test(inherent_attributes_can_be_given),
      cmocka_unit_test(walks),
      cmocka_unit_test(printing),
      cmocka_unit_test(printing_of_resources_and_broken_ir),
      cmocka_unit_test(bytecode),
      cmocka_unit_test(contexts),
      cmocka_unit_test(external_passes),
      cmocka_unit_test(textual_pipelines),
      cmocka_unit_test(the_verifier_runs_between_passes),
      cmocka_unit_test(reports_of_the_pass_manager),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
