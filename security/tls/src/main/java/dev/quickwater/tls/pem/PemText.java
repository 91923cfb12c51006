package dev.quickwater.tls.pem;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The blocks of a PEM text (RFC 7468). Text outside of blocks is ignored.
///
/// @param source where the text is from, for messages
/// @param blocks the blocks in their order
public record PemText(String source, List<Block> blocks) {

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String TAIL = "-----";

  /// One block.
  ///
  /// @param label for example `CERTIFICATE`
  /// @param line the number of its first line, from 1
  /// @param encrypted true if it has headers of the legacy encryption (RFC 1421)
  /// @param content the decoded bytes; empty if the block is encrypted
  @SuppressWarnings("ArrayRecordComponent") // never compared; the array is only read
  public record Block(String label, int line, boolean encrypted, byte[] content) {}

  /// Copies the list.
  public PemText {
    blocks = List.copyOf(blocks);
  }

  /// Reads a text.
  ///
  /// @throws IllegalArgumentException if a block is malformed; the message has the source and the
  ///   line
  public static PemText parse(String source, byte[] text) {
    List<Block> blocks = new ArrayList<>();
    String[] lines = new String(text, StandardCharsets.ISO_8859_1).split("\r\n|\r|\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].strip();
      if (line.startsWith(BEGIN) && line.endsWith(TAIL)) {
        String label = line.substring(BEGIN.length(), line.length() - TAIL.length());
        int end = end(source, lines, i, label);
        blocks.add(block(source, lines, i, end, label));
        i = end;
      }
    }
    return new PemText(source, blocks);
  }

  private static int end(String source, String[] lines, int begin, String label) {
    for (int i = begin + 1; i < lines.length; i++) {
      String line = lines[i].strip();
      if (line.equals(END + label + TAIL)) {
        return i;
      }
      if (line.startsWith(TAIL)) {
        break;
      }
    }
    throw new IllegalArgumentException(
        place(source, label, begin + 1) + " has no line " + END + label + TAIL);
  }

  private static Block block(String source, String[] lines, int begin, int end, String label) {
    StringBuilder base64 = new StringBuilder();
    for (int i = begin + 1; i < end; i++) {
      String line = lines[i].strip();
      if (line.startsWith("Proc-Type:") || line.startsWith("DEK-Info:")) {
        return new Block(label, begin + 1, true, new byte[0]);
      }
      base64.append(line);
    }
    try {
      byte[] content = Base64.getDecoder().decode(base64.toString());
      return new Block(label, begin + 1, false, content);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          place(source, label, begin + 1) + " is not Base64: " + e.getMessage(), e);
    }
  }

  /// The block and its place, for messages.
  public String place(Block block) {
    return place(source, block.label, block.line);
  }

  private static String place(String source, String label, int line) {
    return source + ": the block " + label + " in line " + line;
  }
}
