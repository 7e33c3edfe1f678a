package io.skerry.datatype;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Several named values side by side (class 6).
 *
 * @param size bytes per element, gaps included
 * @param members 1 to 65535 of them, in stored order
 */
public record Compound(int size, List<Member> members) implements Datatype {
  /**
   * One value of a compound.
   *
   * @param name its name, unique within the compound, without NUL
   * @param offset its first byte within the element
   * @param type its type
   */
  public record Member(String name, int offset, Datatype type) {
    /** Refuses a name that cannot be stored. */
    public Member {
      if (name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("member name holds a NUL: name=" + name);
      }
    }
  }

  /** Refuses members outside the element. */
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
  }

  /** The member of that name. */
  public Optional<Member> member(String name) {
    return members.stream().filter(m -> m.name.equals(name)).findFirst();
  }

  @Override
  public String toString() {
    return members.stream()
        .map(m -> m.name + "@" + m.offset + ":" + m.type)
        .collect(Collectors.joining(", ", "compound[" + size + "]{", "}"));
  }
}
