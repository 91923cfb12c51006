package dev.quickwater.util.text;

/// Searches for a character or a text in bytes that are all ASCII.
final class AsciiSearch {

  private AsciiSearch() {}

  /// The first index in `[from, length)`, counted from `offset`, that has `c`, or -1.
  static int indexOf(byte[] array, int offset, int length, int from, char c) {
    if (c > 0x7f) {
      return -1;
    }
    long pattern = Words.pattern(c);
    int i = from;
    if (length - i < Words.SIZE) {
      long marks = Words.zeros(Words.getPart(array, offset + i, length - i) ^ pattern);
      int found = i + Words.first(marks);
      return found < length ? found : -1;
    }
    // The place of a hit is not predictable, so two words share a branch.
    for (; i <= length - 2 * Words.SIZE; i += 2 * Words.SIZE) {
      long first = Words.zeros(Words.get(array, offset + i) ^ pattern);
      long second = Words.zeros(Words.get(array, offset + i + Words.SIZE) ^ pattern);
      if ((first | second) != 0) {
        return i + (first != 0 ? Words.first(first) : Words.SIZE + Words.first(second));
      }
    }
    while (i < length) {
      int at = Math.min(i, length - Words.SIZE);
      long marks = Words.zeros(Words.get(array, offset + at) ^ pattern);
      if (marks != 0) {
        return at + Words.first(marks);
      }
      i = at + Words.SIZE;
    }
    return -1;
  }

  /// The first index in `[from, length)` at which `needle` begins, or -1.
  ///
  /// A place is compared as a whole only if its first and its last character match. Eight places
  /// are tested at a time.
  static int indexOf(AsciiString text, CharSequence needle, int from, boolean ignoreCase) {
    int size = needle.length();
    int last = text.length() - size;
    if (size == 0 || from > last) {
      return size == 0 && from <= text.length() ? from : -1;
    }
    if (from == last) {
      return text.matches(from, needle, 0, size, ignoreCase) ? from : -1;
    }
    char head = needle.charAt(0);
    char tail = needle.charAt(size - 1);
    if ((head | tail) > 0x7f) {
      return -1;
    }
    long heads = Words.pattern(ignoreCase ? AsciiCase.toLowerCase(head) : head);
    long tails = Words.pattern(ignoreCase ? AsciiCase.toLowerCase(tail) : tail);
    int places = Math.min(Words.SIZE, last - from + 1);
    for (int i = from; i <= last; i += places) {
      // The last word may begin at places that are known not to fit.
      int at = Math.min(i, last - places + 1);
      long fits =
          Words.zeros(text.word(at, places, ignoreCase) ^ heads)
              & Words.zeros(text.word(at + size - 1, places, ignoreCase) ^ tails);
      for (; fits != 0; fits &= fits - 1) {
        int place = at + Words.first(fits);
        // The zeros behind a partial word may look like a hit.
        if (place <= last && text.matches(place, needle, 0, size, ignoreCase)) {
          return place;
        }
      }
    }
    return -1;
  }
}
