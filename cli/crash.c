#include "cli/crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
enum { NUM_SIGNALS = sizeof crash_signals / sizeof *crash_signals };

static struct {
  const char *tool;
  const char *input;
  struct sigaction before[NUM_SIGNALS];
  stack_t stack_before;
} guard;

/* A stack of our own: the crash may be the end of the other one. */
static char signal_stack[64 * 1024];

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    return;
}

static void on_crash(int number) {
  say(guard.tool);
  say(": error: the IREE compiler library crashed on '");
  say(guard.input);
  say("'");
  say(number == SIGABRT ? " (it gave up)\n" : " (invalid memory access or instruction)\n");
  _exit(1);
}

void zc_crash_guard_begin(const char *tool, const char *input) {
  if (SANITIZED)
    return;
  guard.tool = tool;
  guard.input = input;
  stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, &guard.stack_before);
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < NUM_SIGNALS; ++i)
    sigaction(crash_signals[i], &action, &guard.before[i]);
}

void zc_crash_guard_end(void) {
  if (SANITIZED)
    return;
  for (int i = 0; i < NUM_SIGNALS; ++i)
    sigaction(crash_signals[i], &guard.before[i], NULL);
  sigaltstack(&guard.stack_before, NULL);
}
