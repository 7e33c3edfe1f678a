package io.skerry.datatype;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Named integers (class 8).
 *
 * @param base the integer type, at most 8 bytes
 * @param members at most 65535 of them, in stored order
 */
public record Enumeration(FixedPoint base, List<Member> members) implements Datatype {
  /**
   * One name.
   *
   * @param name the name, without NUL
   * @param value all bits of the stored element as one integer, sign-extended if the base is signed
   */
  public record Member(String name, long value) {
    /** Refuses a name that cannot be stored. */
    public Member {
      if (name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("member name holds a NUL: name=" + name);
      }
    }
  }

  /** Refuses a base that does not fit a long, and values that do not fit the base. */
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

  @Override
  public int size() {
    return base.size();
  }

  /** The value of a name. */
  public OptionalLong valueOf(String name) {
    return members.stream().filter(m -> m.name.equals(name)).mapToLong(Member::value).findFirst();
  }

  /** The first name of a value. */
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
