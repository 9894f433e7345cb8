#include "cli/crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
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
  struct sigaction timer_before;
  struct rlimit memory_before;
} guard;

/* A stack of our own: the crash may be the end of the other one. */
static char signal_stack[64 * 1024];

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    return;
}

static void say_and_exit(const char *what) {
  say(guard.tool);
  say(": error: the IREE compiler library ");
  say(what);
  say(" '");
  say(guard.input);
  say("'\n");
  _exit(1);
}

static void on_crash(int number) {
  say_and_exit(number == SIGABRT ? "gave up and crashed on" : "crashed on");
}

static void on_time_limit(int number) {
  (void)number;
  say_and_exit("comes to no end with");
}

void zc_crash_guard_begin(const char *tool, const char *input) {
  guard.tool = tool;
  guard.input = input;
  if (SANITIZED)
    return;
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

/* Counts the time that the process and the kernel for it compute, not what it waits. */
static void set_timer(unsigned seconds) {
  struct itimerval time = {.it_value = {.tv_sec = (time_t)seconds}};
  setitimer(ITIMER_PROF, &time, NULL);
}

/* What the process has of its address space; 0 where that isn't known. */
static size_t used_address_space(void) {
  char text[32] = "";
  FILE *file = fopen("/proc/self/statm", "re");
  if (file && !fgets(text, sizeof text, file))
    text[0] = '\0';
  if (file)
    fclose(file);
  return strtoul(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit_memory(size_t bytes) {
  size_t used = used_address_space();
  getrlimit(RLIMIT_AS, &guard.memory_before);
  struct rlimit limit = guard.memory_before;
  if (SANITIZED || !used || limit.rlim_cur < used + bytes)
    return;
  limit.rlim_cur = used + bytes;
  setrlimit(RLIMIT_AS, &limit);
}

void zc_limits_begin(unsigned seconds, size_t bytes) {
  struct sigaction action = {.sa_handler = on_time_limit};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPROF, &action, &guard.timer_before);
  set_timer(seconds);
  limit_memory(bytes);
}

void zc_limits_end(void) {
  setrlimit(RLIMIT_AS, &guard.memory_before);
  set_timer(0);
  sigaction(SIGPROF, &guard.timer_before, NULL);
}
