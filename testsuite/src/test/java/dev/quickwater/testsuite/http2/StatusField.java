package dev.quickwater.testsuite.http2;

import java.util.List;

/// Reads the status from the field block of a response, without the rest of HPACK: `:status` is the
/// first field, and it is no entry of the dynamic table, because this client's table has size 0.
final class StatusField {

  /// The values of `:status` in the static table, from index 8 (RFC 7541 appendix A).
  private static final List<Integer> STATIC = List.of(200, 204, 206, 304, 400, 404, 500);

  private static final int FIRST = 8;
  private static final int LAST = 14;

  private StatusField() {}

  static int of(byte[] block) {
    int at = 0;
    while ((block[at] & 0xe0) == 0x20) { // a size update, which has one byte for size 0
      at++;
    }
    int first = block[at] & 0xff;
    if (first >= (0x80 | FIRST) && first <= (0x80 | LAST)) {
      return STATIC.get(first - (0x80 | FIRST));
    }
    int index = (first & 0x40) != 0 ? first & 0x3f : first & 0x0f;
    if ((first & 0x80) != 0 || index < FIRST || index > LAST) {
      throw new AssertionError("the first field is not :status, its byte is " + first);
    }
    int length = block[at + 1] & 0x7f;
    boolean huffman = block[at + 1] < 0;
    return huffman ? digits(block, at + 2, length) : text(block, at + 2);
  }

  private static int text(byte[] block, int at) {
    return (block[at] - '0') * 100 + (block[at + 1] - '0') * 10 + block[at + 2] - '0';
  }

  /// The codes of '0' to '2' are 0 to 2 in five bits, those of '3' to '9' are 0x19 to 0x1f in six
  /// (RFC 7541 appendix B).
  private static int digits(byte[] block, int at, int length) {
    long bits = 0;
    for (int i = 0; i < length; i++) {
      bits = bits << 8 | block[at + i] & 0xff;
    }
    int left = 8 * length;
    int status = 0;
    for (int i = 0; i < 3; i++) {
      int five = (int) (bits >> left - 5) & 0x1f;
      int digit = five <= 2 ? five : ((int) (bits >> left - 6) & 0x3f) - 0x19 + 3;
      left -= five <= 2 ? 5 : 6;
      status = 10 * status + digit;
    }
    return status;
  }
}
