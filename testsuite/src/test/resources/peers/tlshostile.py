# Hostile TLS clients on tlslite-ng; prints for each case the server's answer: the name of an alert,
# "data", "closed" (also after an alert that only a client with keys could read), or "silent".
#
# usage: tlshostile.py PORT
import os
import socket
import struct
import sys

from tlslite.api import HandshakeSettings, TLSConnection
from tlslite.constants import AlertDescription
from tlslite.errors import TLSAbruptCloseError, TLSError, TLSRemoteAlert
from tlslite.messages import Finished, Message

PORT = int(sys.argv[1])
HANDSHAKE, CCS, ALERT, DATA = 22, 20, 21, 23
CASES = []


def case(function):
    CASES.append(function)
    return function


def name_of(code):
    return AlertDescription.toStr(code)


# ---- messages in plaintext ----


def record(kind, body, version=0x0303, length=None):
    return struct.pack(">BHH", kind, version, len(body) if length is None else length) + bytes(body)


def vector(body, size):
    return len(body).to_bytes(size, "big") + bytes(body)


def extension(number, body):
    return struct.pack(">H", number) + vector(body, 2)


def message(kind, body):
    return bytes([kind]) + vector(body, 3)


def versions(*all):
    return extension(43, vector(b"".join(struct.pack(">H", v) for v in all), 1))


def groups(*all):
    return extension(10, vector(b"".join(struct.pack(">H", g) for g in all), 2))


def share(group, key):
    return extension(51, vector(struct.pack(">H", group) + vector(key, 2), 2))


SIGNATURES = extension(13, vector(bytes.fromhex("040305030603080408050806040105010601"), 2))
X25519_KEY = bytes([9]) + bytes(31)
NULL_COMPRESSION = b"\x01\x00"
SUITES_13 = [0x1301]
SUITES_12 = [0xC02B, 0xC02F]


def hello(
    extensions, suites, version=0x0303, session=b"", compression=NULL_COMPRESSION, rest=b"", cut=0
):
    body = struct.pack(">H", version) + os.urandom(32) + vector(session, 1)
    body += vector(b"".join(struct.pack(">H", s) for s in suites), 2) + compression
    body += vector(b"".join(extensions), 2) + rest
    return message(1, body[: len(body) - cut])


def hello13(key=None, more=(), named=(29,), **options):
    key = share(29, X25519_KEY) if key is None else key
    return hello([versions(0x0304), groups(*named), SIGNATURES, key, *more], SUITES_13, **options)


def hello12(more=(), named=(29, 23), suites=SUITES_12, **options):
    points = extension(11, b"\x01\x00")
    renegotiation = extension(0xFF01, b"\x00")
    return hello([groups(*named), points, SIGNATURES, renegotiation, *more], suites, **options)


class Raw:
    """A connection without keys."""

    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", PORT), timeout=4)
        self.handshake = b""

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # the answer tells why
        return self

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                return None
            data += more
        return data

    def next(self):
        head = self.exactly(5)
        return None if head is None else (head[0], self.exactly(int.from_bytes(head[3:], "big")))

    def until(self, kind):
        """Reads handshake messages of TLS 1.2 up to one of a type."""
        while True:
            while len(self.handshake) >= 4:
                length = 4 + int.from_bytes(self.handshake[1:4], "big")
                if len(self.handshake) < length:
                    break
                found, self.handshake = self.handshake[0], self.handshake[length:]
                if found == kind:
                    return self
            got = self.next()
            if got is None or got[0] != HANDSHAKE:
                raise AssertionError("the server sent no message of type %d, but %r" % (kind, got))
            self.handshake += got[1]

    def answer(self):
        try:
            while True:
                got = self.next()
                if got is None:
                    return "closed"
                if got[0] == ALERT and len(got[1]) == 2:
                    return name_of(got[1][1])
        except ConnectionResetError:
            return "reset"
        except TimeoutError:
            return "silent"
        finally:
            self.socket.close()


def sent(*records):
    return Raw().send(b"".join(records)).answer()


def first(body):
    return sent(record(HANDSHAKE, body, 0x0301))


@case
def hello_record_with_version_5():
    return sent(record(HANDSHAKE, hello13(), 0x0505))


@case
def hello_record_of_unknown_type():
    return sent(record(25, hello13()))


@case
def hello_record_above_the_limit():
    return sent(record(HANDSHAKE, bytes(0x4801)))


@case
def empty_handshake_records():
    return sent(record(HANDSHAKE, b"") * 100)


@case
def truncated_hello():
    return first(hello13(cut=20))


@case
def truncated_hello_12():
    return first(hello12(cut=6))


@case
def bytes_behind_the_extensions():
    return first(hello13(rest=b"\0\0\0"))


@case
def session_id_of_33_bytes():
    return first(hello13(session=bytes(33)))


@case
def no_cipher_suites():
    return first(hello([versions(0x0304), groups(29), SIGNATURES, share(29, X25519_KEY)], []))


@case
def unknown_cipher_suites():
    return first(
        hello([versions(0x0304), groups(29), SIGNATURES, share(29, X25519_KEY)], [0x13AA])
    )


@case
def unknown_cipher_suites_12():
    return first(hello12(suites=[0x00FE]))


@case
def no_null_compression():
    return first(hello13(compression=b"\x01\x01"))


@case
def duplicated_extension():
    return first(hello13(more=[groups(29)]))


@case
def duplicated_extension_12():
    return first(hello12(more=[SIGNATURES]))


@case
def extension_longer_than_the_hello():
    return first(hello13(more=[struct.pack(">HH", 0x7777, 500)]))


@case
def no_supported_groups():
    return first(hello([versions(0x0304), SIGNATURES, share(29, X25519_KEY)], SUITES_13))


@case
def no_signature_algorithms():
    return first(hello([versions(0x0304), groups(29), share(29, X25519_KEY)], SUITES_13))


@case
def unknown_groups():
    return first(hello13(key=share(0x6A6B, bytes(32)), named=[0x6A6B]))


@case
def unknown_groups_12():
    return first(hello12(named=[0x6A6B], suites=[0xC02B]))


@case
def short_key_share():
    return first(hello13(key=share(29, bytes(31))))


@case
def empty_key_share():
    return first(hello13(key=share(29, b"")))


@case
def zero_key_share():
    return first(hello13(key=share(29, bytes(32))))


@case
def point_that_is_not_on_the_curve():
    return first(hello13(key=share(23, b"\x04" + b"\x11" * 64), named=[23]))


@case
def point_at_infinity():
    return first(hello13(key=share(23, b"\0"), named=[23]))


@case
def only_tls_1_1():
    return first(hello([groups(29), SIGNATURES], SUITES_12 + [0xC013], version=0x0302))


@case
def only_ssl_3():
    return first(hello([], [0x002F], version=0x0300))


@case
def only_unknown_versions():
    return first(
        hello([versions(0x0309), groups(29), SIGNATURES, share(29, X25519_KEY)], SUITES_13)
    )


@case
def fallback_to_12():
    return first(hello12(suites=SUITES_12 + [0x5600]))


@case
def host_name_with_nul():
    return first(hello13(more=[extension(0, vector(b"\0" + vector(b"local\0host", 2), 2))]))


@case
def empty_application_protocols():
    return first(hello13(more=[extension(16, vector(b"", 2))]))


@case
def empty_application_protocol():
    return first(hello13(more=[extension(16, vector(b"\0", 2))]))


@case
def data_between_the_parts_of_a_hello():
    body = hello13()
    return sent(record(HANDSHAKE, body[:50]), record(DATA, b"x"), record(HANDSHAKE, body[50:]))


@case
def alert_between_the_parts_of_a_hello():
    body = hello13()
    return sent(record(HANDSHAKE, body[:50]), record(ALERT, b"\x01\x5a"), record(HANDSHAKE, body[50:]))


@case
def data_before_the_hello():
    return sent(record(DATA, b"GET / HTTP/1.0"))


@case
def data_behind_the_hello_12():
    return sent(record(HANDSHAKE, hello12()), record(DATA, b"GET / HTTP/1.0"))


@case
def finished_in_place_of_a_hello():
    return first(message(20, bytes(32)))


@case
def second_hello_12():
    return sent(record(HANDSHAKE, hello12()), record(HANDSHAKE, hello12()))


@case
def early_change_cipher_spec_12():
    return sent(record(HANDSHAKE, hello12()), record(CCS, b"\1"))


@case
def change_cipher_spec_before_the_hello():
    return sent(record(CCS, b"\1"))


@case
def change_cipher_spec_with_another_value():
    return sent(record(HANDSHAKE, hello13()), record(CCS, b"\2"))


@case
def flood_of_change_cipher_specs():
    return sent(record(HANDSHAKE, hello13()), record(CCS, b"\1") * 100)


@case
def flood_of_warnings_in_the_handshake():
    return sent(record(HANDSHAKE, hello12()), record(ALERT, b"\x01\x5a") * 100)


@case
def point_of_the_client_key_exchange_is_not_on_the_curve():
    raw = Raw().send(record(HANDSHAKE, hello12(named=[23]))).until(14)
    return raw.send(record(HANDSHAKE, message(16, vector(b"\x04" + b"\x11" * 64, 1)))).answer()


@case
def empty_client_key_exchange():
    raw = Raw().send(record(HANDSHAKE, hello12(named=[23]))).until(14)
    return raw.send(record(HANDSHAKE, message(16, b""))).answer()


@case
def finished_without_client_key_exchange():
    raw = Raw().send(record(HANDSHAKE, hello12(named=[23]))).until(14)
    return raw.send(record(HANDSHAKE, message(20, bytes(12)))).answer()


@case
def handshake_message_of_16_mib():
    return sent(record(HANDSHAKE, b"\x01\xff\xff\xff" + bytes(16000)) * 20)


# ---- messages with keys ----


class Open:
    """A connection whose handshake is complete."""

    def __init__(self, version):
        settings = HandshakeSettings()
        settings.minVersion = settings.maxVersion = version
        settings.cipherNames = ["aes128gcm"]
        settings.useExperimentalTackExtension = False
        self.connection = TLSConnection(
            socket.create_connection(("127.0.0.1", PORT), timeout=4)
        )
        self.connection.handshakeClientCert(settings=settings, serverName="localhost")
        self.connection.ignoreAbruptClose = False

    def send(self, kind, body):
        try:
            for _ in self.connection._recordLayer.sendRecord(Message(kind, bytearray(body))):
                pass
        except OSError:
            pass  # the answer tells why
        return self

    def plain(self, data):
        self.connection.sock.sendall(data)
        return self

    def answer(self):
        return answered(self.connection)


def answered(connection):
    try:
        got = connection.read(min=1, max=1)
        return "data" if got else "closed"
    except TLSRemoteAlert as e:
        return name_of(e.description)
    except TLSAbruptCloseError:
        return "closed"
    except ConnectionResetError:
        return "reset"
    except TimeoutError:
        return "silent"
    except TLSError as e:
        return type(e).__name__
    finally:
        connection.sock.close()


REQUEST = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n"


def for_both(function):
    for label, version in (("12", (3, 3)), ("13", (3, 4))):

        def run(version=version):
            return function(Open(version))

        run.__name__ = function.__name__ + "_" + label
        CASES.append(run)


def for_13(function):
    def run():
        return function(Open((3, 4)))

    run.__name__ = function.__name__ + "_13"
    CASES.append(run)


@for_both
def request_is_answered(open):
    return open.send(DATA, REQUEST).answer()


@for_both
def data_in_plaintext(open):
    return open.plain(record(DATA, b"x" * 40)).answer()


@for_both
def alert_in_plaintext(open):
    return open.plain(record(ALERT, b"\x02\x28")).answer()


@for_both
def record_above_the_limit(open):
    return open.plain(record(DATA, bytes(0x4801))).answer()


@for_both
def content_above_the_limit(open):
    return open.send(DATA, bytes((1 << 14) + 1)).answer()


@for_both
def record_with_version_5(open):
    return open.plain(record(DATA, bytes(64), 0x0505)).answer()


@for_both
def flood_of_empty_data(open):
    for _ in range(2000):
        open.send(DATA, b"")
    return open.answer()


@for_both
def flood_of_warnings(open):
    for _ in range(200):
        open.send(ALERT, b"\x01\x5a")
    return open.answer()


@for_both
def alert_of_one_byte(open):
    return open.send(ALERT, b"\x01").answer()


@for_both
def two_alerts_in_a_record(open):
    return open.send(ALERT, b"\x01\x5a\x01\x5a").answer()


@for_both
def empty_handshake_record(open):
    return open.send(HANDSHAKE, b"").answer()


@for_both
def second_handshake(open):
    return open.send(HANDSHAKE, hello12()).answer()


@for_both
def unknown_handshake_message(open):
    return open.send(HANDSHAKE, message(99, b"xyz")).answer()


@for_both
def change_cipher_spec_on_an_open_connection(open):
    return open.send(CCS, b"\1").answer()


@for_13
def flood_of_key_updates(open):
    connection, session = open.connection, open.connection.session
    for _ in range(2000):
        open.send(HANDSHAKE, message(24, b"\0"))
        layer = connection._recordLayer
        secrets = (session.cipherSuite, session.cl_app_secret, session.sr_app_secret)
        session.cl_app_secret, session.sr_app_secret = layer.calcTLS1_3KeyUpdate_reciever(*secrets)
    return open.answer()


@for_13
def key_update_with_another_value(open):
    return open.send(HANDSHAKE, message(24, b"\2")).answer()


@for_13
def key_update_of_two_bytes(open):
    return open.send(HANDSHAKE, message(24, b"\0\0")).answer()


@for_13
def data_between_the_parts_of_a_message(open):
    update = message(24, b"\0")
    return open.send(HANDSHAKE, update[:2]).send(DATA, REQUEST).answer()


@for_13
def key_update_with_bytes_behind(open):
    return open.send(HANDSHAKE, message(24, b"\0") + message(24, b"\0")).answer()


@for_13
def record_without_content_type(open):
    return open.send(0, bytes(30)).answer()


def with_wrong_finished(version):
    original = Finished.create

    def create(self, verify_data):
        changed = bytearray(verify_data)
        changed[0] ^= 1
        return original(self, changed)

    Finished.create = create
    try:
        return Open(version).send(DATA, REQUEST).answer()
    except TLSRemoteAlert as e:
        return name_of(e.description)
    except TLSAbruptCloseError:
        return "closed"
    finally:
        Finished.create = original


@case
def wrong_finished_12():
    return with_wrong_finished((3, 3))


@case
def wrong_finished_13():
    return with_wrong_finished((3, 4))


@for_both
def request_is_answered_after_all(open):
    return open.send(DATA, REQUEST).answer()


for function in CASES:
    try:
        result = function()
    except Exception as e:  # a case that cannot be performed is a result, too
        result = "%s: %s" % (type(e).__name__, e)
    print(function.__name__, result, flush=True)
