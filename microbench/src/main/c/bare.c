/* The bare loop of BareServer.java in C, to check that the one in Java is a limit: find the blank lines, answer a
 * constant. Argument: port (0 picks one). Both read, search and write in the same way. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_EVENTS 256
#define MAX_FD (1 << 16)
#define READ_SIZE (1 << 16)
#define COPIES (READ_SIZE / 4)
#define WINDOW (8 + 3)
#define ONES 0x0101010101010101ULL

static char in[READ_SIZE];
static int partial[MAX_FD];
static int pending[MAX_FD];
static char *responses;
static int response_length;
static int listener;
static int epoll;
static int count;

static int step(int matched, char b) {
  if (b == '\r') return matched == 2 ? 3 : 1;
  if (b == '\n') return matched == 1 ? 2 : matched == 3 ? 4 : 0;
  return 0;
}

static int scan(const char *p, int length, int matched) {
  int found = 0, i = 0, next;
  while (matched > 0 && i < length) {
    matched = step(matched, p[i++]);
    if (matched == 4) {
      found++;
      matched = 0;
    }
  }
  next = i;
  for (; i <= length - WINDOW; i += 8) {
    uint64_t word, marks;
    memcpy(&word, p + i, 8);
    word ^= ONES * '\r';
    marks = (word - ONES) & ~word & (ONES << 7);
    while (marks != 0) {
      int at = i + (__builtin_ctzll(marks) >> 3);
      if (at >= next && memcmp(p + at, "\r\n\r\n", 4) == 0) {
        found++;
        next = at + 4;
      }
      marks &= marks - 1;
    }
  }
  if (next > i) i = next;
  for (; i < length; i++) {
    matched = step(matched, p[i]);
    if (matched == 4) {
      found++;
      matched = 0;
    }
  }
  count = found;
  return matched;
}

static void control(int operation, int fd, int interest) {
  struct epoll_event event = {.events = interest, .data.u64 = fd};
  if (epoll_ctl(epoll, operation, fd, &event) < 0) {
    perror("epoll_ctl");
    exit(1);
  }
}

static void close_connection(int fd) {
  control(EPOLL_CTL_DEL, fd, 0);
  close(fd);
}

static void accept_connection(void) {
  int one = 1;
  int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  if (fd >= MAX_FD) {
    close(fd);
    return;
  }
  partial[fd] = 0;
  pending[fd] = 0;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  control(EPOLL_CTL_ADD, fd, EPOLLIN);
}

static void write_responses(int fd, int left, int interest) {
  int written = (response_length - left % response_length) % response_length;
  ssize_t n = send(fd, responses + written, left, MSG_NOSIGNAL);
  if (n < 0 && errno != EAGAIN) {
    close_connection(fd);
    return;
  }
  int rest = left - (n > 0 ? (int)n : 0);
  pending[fd] = rest;
  int wanted = rest > 0 ? EPOLLOUT : EPOLLIN;
  if (wanted != interest) control(EPOLL_CTL_MOD, fd, wanted);
}

static void read_requests(int fd) {
  ssize_t n = read(fd, in, READ_SIZE);
  if (n <= 0) {
    if (n == 0 || errno != EAGAIN) close_connection(fd);
    return;
  }
  partial[fd] = scan(in, (int)n, partial[fd]);
  if (count > 0) write_responses(fd, count * response_length, EPOLLIN);
}

static void prepare_responses(void) {
  char date[64], response[256];
  time_t now = time(NULL);
  strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime(&now));
  response_length = snprintf(response, sizeof response,
                             "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n"
                             "Server: quickwater\r\nDate: %s\r\n\r\nHello, World!",
                             date);
  responses = malloc((size_t)response_length * COPIES);
  for (int i = 0; i < COPIES; i++) memcpy(responses + (size_t)i * response_length, response, response_length);
}

static void listen_on(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int one = 1;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 1024) < 0) {
    perror("listen");
    exit(1);
  }
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("listening on http://127.0.0.1:%d bare-c loops=1\n", ntohs(address.sin_port));
  fflush(stdout);
}

int main(int argc, char **argv) {
  struct epoll_event events[MAX_EVENTS];
  prepare_responses();
  epoll = epoll_create1(EPOLL_CLOEXEC);
  listen_on(argc > 1 ? atoi(argv[1]) : 0);
  control(EPOLL_CTL_ADD, listener, EPOLLIN);
  for (;;) {
    int ready = epoll_wait(epoll, events, MAX_EVENTS, -1);
    if (ready < 0 && errno != EINTR) {
      perror("epoll_wait");
      return 1;
    }
    for (int i = 0; i < ready; i++) {
      int fd = (int)events[i].data.u64;
      if (fd == listener) {
        accept_connection();
      } else if (pending[fd] > 0) {
        write_responses(fd, pending[fd], EPOLLOUT);
      } else {
        read_requests(fd);
      }
    }
  }
}
