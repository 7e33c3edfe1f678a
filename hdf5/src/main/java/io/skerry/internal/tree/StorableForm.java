package io.skerry.internal.tree;

import io.skerry.chunk.bytes.StoredText;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;

/**
 * Checks, before metadata is changed, that an attribute or a link can be stored: its texts must not
 * contain a NUL, and its lengths must fit into 16-bit fields. Without this check, the encoding
 * would fail in every later flush.
 */
final class StorableForm {
  private static final int LIMIT = 0xffff;

  /**
   * An upper bound, in bytes, on the size of the fields of a link message other than its name and
   * target.
   */
  private static final int LINK_FIELDS = 64;

  private StorableForm() {}

  /**
   * Checks an attribute.
   *
   * @throws IllegalArgumentException if its name contains a NUL, or its name or datatype is too
   *     large
   */
  static void check(AttributeMessage attribute) {
    checkText("name of an attribute", attribute.name());
    checkLength("name of an attribute", bytes(attribute.name()) + 1);
    checkLength(
        "datatype of the attribute " + attribute.name(), attribute.datatype().body().size());
  }

  /**
   * Checks a link.
   *
   * @throws IllegalArgumentException if its name or target contains a NUL, or if together they are
   *     too long
   */
  static void check(LinkMessage link) {
    checkText("name of a link", link.name());
    long length = LINK_FIELDS + bytes(link.name());
    switch (link.target()) {
      case LinkTarget.Soft(String path) -> {
        checkText("target of a link", path);
        length += bytes(path);
      }
      case LinkTarget.External(String file, String path) -> {
        checkText("file of a link", file);
        checkText("target of a link", path);
        length += bytes(file) + bytes(path);
      }
      case LinkTarget.UserDefined(int _, var data) -> length += data.size();
      case LinkTarget.Hard _ -> {}
    }
    checkLength("link", length);
  }

  private static long bytes(String text) {
    return StoredText.encode(text).length;
  }

  private static void checkText(String what, String text) {
    if (text.indexOf(0) >= 0) {
      throw new IllegalArgumentException("the " + what + " contains a NUL: " + text);
    }
  }

  private static void checkLength(String what, long length) {
    if (length > LIMIT) {
      throw new IllegalArgumentException(
          "the " + what + " is too long: bytes=" + length + " limit=" + LIMIT);
    }
  }
}
