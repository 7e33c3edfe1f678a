package io.skerry.spi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The path of an object. A path that {@link #child} returns refers to the path of its group instead
 * of copying it, so that the memory for the paths of a traversal does not depend on the depth of
 * the groups. Immutable, thread-safe; compared by identity.
 */
public final class ObjectPath {
  /** The maximum length, in characters, of a path that {@link #shown} does not shorten. */
  public static final int LONGEST_SHOWN = 1024;

  /** The path of the root group. */
  public static final ObjectPath ROOT = new ObjectPath(Optional.empty(), "/");

  private static final int KEPT = 448;
  private static final String MARK = "...[sha256 ";

  private final Optional<ObjectPath> parent;
  private final String name;
  private final long length;

  /**
   * The first characters of a path that {@link #shown} shortens, shared with the paths below it.
   */
  private final String head;

  /** The digest of a path that {@link #shown} shortens; otherwise empty. */
  private final byte[] digest;

  private ObjectPath(Optional<ObjectPath> parent, String name) {
    this.parent = parent;
    this.name = name;
    this.length = parent.map(above -> above.prefix() + 1).orElse(0L) + name.length();
    boolean below = parent.map(ObjectPath::isShortened).orElse(false);
    if (below) {
      this.head = parent.orElseThrow().head;
      this.digest = sha256(parent.orElseThrow().digest, "/" + name);
    } else if (length > LONGEST_SHOWN || name.contains(MARK)) {
      String whole = toString();
      this.head = whole.substring(0, Math.min(KEPT, whole.length()));
      this.digest = sha256(new byte[0], whole);
    } else {
      this.head = "";
      this.digest = new byte[0];
    }
  }

  /**
   * Parses a path. Local, thread-safe; does not fail.
   *
   * @param path the path, with names separated by {@code /}
   * @return the parsed path
   */
  public static ObjectPath of(String path) {
    if (path.equals("/")) {
      return ROOT;
    }
    if (path.length() <= LONGEST_SHOWN) {
      return new ObjectPath(Optional.empty(), path);
    }
    ObjectPath at = ROOT;
    for (String name : path.split("/", -1)) {
      at = name.isEmpty() ? at : at.child(name);
    }
    return at;
  }

  /**
   * Returns the path of a member. Local, thread-safe; does not fail.
   *
   * @param member the name of a link in the group
   * @return the path of the member
   */
  public ObjectPath child(String member) {
    return new ObjectPath(Optional.of(this), member);
  }

  /**
   * Returns this path with a remark after the last name, to denote a part of the object. Local,
   * thread-safe; does not fail.
   *
   * @param remark the text that is appended to the last name
   * @return the annotated path
   */
  public ObjectPath annotated(String remark) {
    return new ObjectPath(parent, name + remark);
  }

  private long prefix() {
    return parent.isEmpty() && name.equals("/") ? 0 : length;
  }

  private boolean isShortened() {
    return digest.length > 0;
  }

  /**
   * Returns the path for reports and messages. A path that is longer than {@link #LONGEST_SHOWN}
   * characters is shortened to its beginning and its end, at most 448 characters each, with a
   * digest and the length of the path between them. A path with a name that looks like such a
   * digest is shown in this form even if it is shorter, so that different paths have different
   * results. Local, thread-safe; does not fail.
   *
   * @return the path, shortened if it is long
   */
  public String shown() {
    if (!isShortened()) {
      return toString();
    }
    String end = end();
    return head
        + MARK
        + HexFormat.of().formatHex(digest, 0, 16)
        + " of "
        + length
        + " characters]..."
        + end.substring(Math.max(0, end.length() - KEPT));
  }

  /**
   * Returns the trailing names of the path, joined by slashes: enough of them to cover the end of
   * the shortened form.
   */
  private String end() {
    Deque<String> names = new ArrayDeque<>();
    ObjectPath at = this;
    int found = 0;
    while (at.parent.isPresent() && found < KEPT) {
      names.push(at.name);
      found += at.name.length() + 1;
      at = at.parent.get();
    }
    return found < KEPT ? at.below(names) : "/" + String.join("/", names);
  }

  private String below(Deque<String> names) {
    String top = prefix() == 0 ? "" : name;
    return names.isEmpty() ? name : top + "/" + String.join("/", names);
  }

  private static byte[] sha256(byte[] before, String text) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(before);
      return sha256.digest(text.getBytes(StandardCharsets.UTF_16LE));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /**
   * Returns the complete path. Local, thread-safe; does not fail.
   *
   * @return the path, with names separated by {@code /}
   */
  @Override
  public String toString() {
    Deque<String> names = new ArrayDeque<>();
    ObjectPath at = this;
    while (at.parent.isPresent()) {
      names.push(at.name);
      at = at.parent.get();
    }
    return at.below(names);
  }
}
