package io.skerry.datatype;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A compound of named members (class 6).
 *
 * @param size the size of an element in bytes, including gaps
 * @param members the 1 to 65535 members, in stored order
 */
public record Compound(int size, List<Member> members) implements Datatype {
  /**
   * One member of a compound.
   *
   * @param name the name, without NUL; unique within the compound, which is checked when the type
   *     is written to a file
   * @param offset the offset of the member within the element, in bytes
   * @param type the type of the member
   */
  public record Member(String name, int offset, Datatype type) {
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
   * Creates a compound. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size is below 1, there are no members or more than
   *     65535, a member is not within the element, or members overlap
   */
  public Compound {
    DatatypeChecks.size(size);
    members = List.copyOf(members);
    if (members.isEmpty() || members.size() > 0xffff) {
      throw new IllegalArgumentException(
          "a compound has 1 to 65535 members: members=" + members.size());
    }
    for (Member member : members) {
      if (member.offset < 0 || member.offset + (long) member.type.size() > size) {
        throw new IllegalArgumentException(
            "member outside the compound: member="
                + member.name
                + " offset="
                + member.offset
                + " bytes="
                + member.type.size()
                + " size="
                + size);
      }
    }
    checkApart(members);
  }

  private static void checkApart(List<Member> members) {
    List<Member> sorted = members.stream().sorted(Comparator.comparingInt(Member::offset)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      Member before = sorted.get(i - 1);
      Member member = sorted.get(i);
      if (member.offset - before.offset < before.type.size()) {
        throw new IllegalArgumentException(
            "members of a compound overlap: member="
                + before.name
                + " offset="
                + before.offset
                + " bytes="
                + before.type.size()
                + " member="
                + member.name
                + " offset="
                + member.offset);
      }
    }
  }

  /**
   * Returns the first member with the given name; empty if there is none. Local, thread-safe; does
   * not fail.
   */
  public Optional<Member> member(String name) {
    Objects.requireNonNull(name);
    return members.stream().filter(m -> m.name.equals(name)).findFirst();
  }

  @Override
  public String toString() {
    return members.stream()
        .map(m -> m.name + "@" + m.offset + ":" + m.type)
        .collect(Collectors.joining(", ", "compound[" + size + "]{", "}"));
  }
}
