package io.skerry.datatype;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * An enumeration: named integers (class 8).
 *
 * @param base the integer type, at most 8 bytes
 * @param members the members, at most 65535, in stored order
 */
public record Enumeration(FixedPoint base, List<Member> members) implements Datatype {
  /**
   * One member of an enumeration.
   *
   * @param name the name, without NUL
   * @param value all bits of the stored element as one integer, sign-extended if the base is signed
   */
  public record Member(String name, long value) {
    /**
     * Creates a member. Local, thread-safe.
     *
     * @throws IllegalArgumentException if the name contains a NUL
     */
    public Member {
      if (name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("member name holds a NUL: name=" + name);
      }
    }
  }

  /**
   * Creates an enumeration. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the base has more than 8 bytes, there are more than 65535
   *     members, or a value does not fit in the base
   */
  public Enumeration {
    members = List.copyOf(members);
    if (base.size() > 8 || members.size() > 0xffff) {
      throw new IllegalArgumentException(
          "enumeration: base=" + base + " limit=8 bytes, members=" + members.size());
    }
    for (Member member : members) {
      int unused = 64 - 8 * base.size();
      long shifted = member.value << unused;
      long back = base.signedness() == Signedness.SIGNED ? shifted >> unused : shifted >>> unused;
      if (back != member.value) {
        throw new IllegalArgumentException(
            "value outside the base: member=" + member.name + " value=" + member.value);
      }
    }
  }

  /**
   * Returns the size of an element in bytes: the size of the base type. Local, thread-safe; does
   * not fail.
   */
  @Override
  public int size() {
    return base.size();
  }

  /**
   * Returns the value of the first member with the given name; empty if there is none. Local,
   * thread-safe; does not fail.
   */
  public OptionalLong valueOf(String name) {
    Objects.requireNonNull(name);
    return members.stream().filter(m -> m.name.equals(name)).mapToLong(Member::value).findFirst();
  }

  /**
   * Returns the name of the first member with the given value; empty if there is none. Local,
   * thread-safe; does not fail.
   */
  public Optional<String> nameOf(long value) {
    return members.stream().filter(m -> m.value == value).map(Member::name).findFirst();
  }

  @Override
  public String toString() {
    return members.stream()
        .map(m -> m.name + "=" + m.value)
        .collect(Collectors.joining(", ", "enum:" + base + "{", "}"));
  }
}
