#ifndef STREAM_ZC_SUPPORT_H
#define STREAM_ZC_SUPPORT_H

#if defined(__GNUC__)
#define STREAM_ZC_EXPORTED __attribute__((visibility("default")))
#else
#define STREAM_ZC_EXPORTED
#endif

#endif /* STREAM_ZC_SUPPORT_H */
