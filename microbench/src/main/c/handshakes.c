/* Handshakes of a client and a server in memory, TLS 1.3, TLS_AES_128_GCM_SHA256: the limit for
   everything that uses the same OpenSSL. Arguments: certificate, key, "full" or "resumed", seconds.
   The client checks the certificate and the name. Prints the handshakes and their processor time.
   With "idle" for the kind: prints the bytes that each further server connection keeps after one
   message in both directions, by the accounts of malloc. */
#include <malloc.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static SSL_SESSION *kept;
static int idle;

static void require(int ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
  }
}

static int keep(SSL *ssl, SSL_SESSION *session) {
  (void)ssl;
  SSL_SESSION_free(kept);
  kept = session;
  return 1;
}

static SSL_CTX *context(const SSL_METHOD *method) {
  SSL_CTX *made = SSL_CTX_new(method);
  require(made != NULL, "SSL_CTX_new");
  SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION);
  require(SSL_CTX_set_ciphersuites(made, "TLS_AES_128_GCM_SHA256"), "cipher suite");
  SSL_CTX_set_mode(made, SSL_MODE_RELEASE_BUFFERS);
  return made;
}

/* Returns the server side. */
static SSL *connect_once(SSL_CTX *client_context, SSL_CTX *server_context, int resumed) {
  SSL *client = SSL_new(client_context), *server = SSL_new(server_context);
  BIO *forth = BIO_new(BIO_s_mem()), *back = BIO_new(BIO_s_mem());
  BIO_up_ref(forth);
  BIO_up_ref(back);
  SSL_set_bio(client, back, forth);
  SSL_set_bio(server, forth, back);
  SSL_set_connect_state(client);
  SSL_set_accept_state(server);
  SSL_set_tlsext_host_name(client, "localhost");
  SSL_set1_host(client, "localhost");
  if (resumed && kept != NULL) {
    SSL_set_session(client, kept);
  }
  for (int turn = 0; turn < 4 && !(SSL_is_init_finished(client) && SSL_is_init_finished(server));
       turn++) {
    SSL_do_handshake(client);
    SSL_do_handshake(server);
  }
  require(SSL_is_init_finished(client) && SSL_is_init_finished(server), "handshake");
  char none;
  SSL_read(client, &none, 1); /* the session tickets */
  SSL_set_shutdown(client, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  SSL_set_shutdown(server, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  if (idle) {
    char text[8];
    SSL_set_shutdown(client, 0);
    SSL_set_shutdown(server, 0);
    require(SSL_write(client, "hello", 5) == 5 && SSL_read(server, text, 5) == 5, "request");
    require(SSL_write(server, "hello", 5) == 5 && SSL_read(client, text, 5) == 5, "response");
    SSL_set_bio(server, BIO_new(BIO_s_null()), BIO_new(BIO_s_null()));
  }
  SSL_free(client);
  return server;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static long run(SSL_CTX *client, SSL_CTX *server, int resumed, double seconds) {
  long count = 0;
  for (double end = cpu_seconds() + seconds; cpu_seconds() < end; count++) {
    SSL_free(connect_once(client, server, resumed));
  }
  return count;
}

static int measure_idle(SSL_CTX *client, SSL_CTX *server) {
  enum { FEW = 400, MANY = 1600 };
  size_t few = 0;
  for (int i = 0; i < MANY; i++) {
    if (i == FEW) {
      few = mallinfo2().uordblks;
    }
    connect_once(client, server, 0); /* kept on purpose */
  }
  printf("idle=%zu library=%s\n", (mallinfo2().uordblks - few) / (MANY - FEW),
      OpenSSL_version(OPENSSL_VERSION));
  return 0;
}

int main(int argc, char **argv) {
  require(argc == 5, "usage: handshakes CERTIFICATE KEY full|resumed|idle SECONDS");
  int resumed = strcmp(argv[3], "resumed") == 0;
  double seconds = atof(argv[4]);
  idle = strcmp(argv[3], "idle") == 0;
  SSL_CTX *server = context(TLS_server_method()), *client = context(TLS_client_method());
  require(SSL_CTX_use_certificate_chain_file(server, argv[1]) == 1, argv[1]);
  require(SSL_CTX_use_PrivateKey_file(server, argv[2], SSL_FILETYPE_PEM) == 1, argv[2]);
  require(SSL_CTX_load_verify_locations(client, argv[1], NULL) == 1, argv[1]);
  SSL_CTX_set_verify(client, SSL_VERIFY_PEER, NULL);
  if (resumed) {
    SSL_CTX_set_session_cache_mode(client, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(client, keep);
  } else {
    SSL_CTX_set_options(server, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(server, 0);
    SSL_CTX_set_session_cache_mode(server, SSL_SESS_CACHE_OFF);
  }
  if (idle) {
    return measure_idle(client, server);
  }
  run(client, server, resumed, seconds / 4);
  double start = cpu_seconds();
  long count = run(client, server, resumed, seconds);
  printf("handshakes=%ld cpu=%.6f resumed=%ld library=%s\n", count, cpu_seconds() - start,
      SSL_CTX_sess_hits(server) > count / 2 ? count : 0L, OpenSSL_version(OPENSSL_VERSION));
  return 0;
}
