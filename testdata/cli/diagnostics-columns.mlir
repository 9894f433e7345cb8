// The caret stands under its character behind tabs and behind what UTF-8 writes in several bytes; of a long line only the
// part around it is shown.
// RUN: printf 'util.func @f() {\n\t\tutil.return \045x : i32\n}\n' | not stream-zc-opt 2>&1 | FileCheck %s --check-prefix=TAB --match-full-lines --strict-whitespace
// RUN: printf 'module attributes {a.b = "\303\251\303\251"} { x }\n' | not stream-zc-opt 2>&1 | FileCheck %s --check-prefix=UTF8 --match-full-lines --strict-whitespace
// RUN: %python -c 'print("module attributes {a.b = \"" + 1000 * "-" + "\"} { x } //" + 1000 * "+")' | not stream-zc-opt > %t 2>&1
// RUN: FileCheck %s --check-prefix=LONG --match-full-lines --strict-whitespace < %t

//      TAB:<stdin>:2:15: error: use of undeclared SSA value name
// TAB-NEXT:		util.return %x : i32
// TAB-NEXT:		            ^
//      UTF8:<stdin>:1:36: error: custom op 'x' is unknown (tried 'builtin.x' as well)
// UTF8-NEXT:module attributes {a.b = "éé"} { x }
// UTF8-NEXT:                                 ^
//      LONG:<stdin>:1:1032: error: custom op 'x' is unknown (tried 'builtin.x' as well)
// LONG-NEXT:{{-+}}"} { x } //{{\++}}
// LONG-NEXT:{{ {200}\^}}
