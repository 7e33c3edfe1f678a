package io.skerry.chunk.datatype;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import java.util.List;

/**
 * Where in an element of some type the parts of variable length are: those that hold a descriptor
 * and have their content elsewhere. Parts inside the content of others are found from there.
 * Immutable.
 */
public final class VariableLengthParts {
  private static final VariableLengthParts NONE = new VariableLengthParts(new Nowhere());

  private final Place place;

  private VariableLengthParts(Place place) {
    this.place = place;
  }

  /** What is done with a part. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One part.
     *
     * @param at where its descriptor begins, in bytes
     */
    void part(Part part, long at);
  }

  /**
   * A part of variable length.
   *
   * @param type its type
   * @param memberSize bytes of one member of its content
   * @param inner the parts of variable length in a member
   */
  public record Part(VariableLength type, int memberSize, VariableLengthParts inner) {}

  private sealed interface Place {}

  private record Nowhere() implements Place {}

  private record One(Part part) implements Place {}

  private record Repeated(int times, int stride, Place each) implements Place {}

  private record Members(List<Member> members) implements Place {}

  private record Member(int offset, Place place) {}

  /** The parts of a type. */
  public static VariableLengthParts of(Datatype type) {
    Place place = place(type);
    return place instanceof Nowhere ? NONE : new VariableLengthParts(place);
  }

  private static Place place(Datatype type) {
    return switch (type) {
      case VariableLength variable -> {
        boolean text = variable.kind() == VariableLength.Kind.STRING;
        yield new One(
            new Part(
                variable, text ? 1 : variable.base().size(), text ? NONE : of(variable.base())));
      }
      case ArrayType array -> {
        Place each = place(array.base());
        int size = array.base().size();
        yield each instanceof Nowhere ? each : new Repeated(array.size() / size, size, each);
      }
      case Compound compound -> {
        List<Member> members =
            compound.members().stream()
                .map(member -> new Member(member.offset(), place(member.type())))
                .filter(member -> !(member.place instanceof Nowhere))
                .toList();
        yield members.isEmpty() ? new Nowhere() : new Members(members);
      }
      default -> new Nowhere();
    };
  }

  /** Whether elements of the type are complete in themselves. */
  public boolean isNone() {
    return place instanceof Nowhere;
  }

  /** Visits the parts of an element that begins at a byte. */
  public void forEach(long at, Visitor visitor) {
    visit(place, at, visitor);
  }

  private static void visit(Place place, long at, Visitor visitor) {
    switch (place) {
      case Nowhere _ -> {}
      case One(Part part) -> visitor.part(part, at);
      case Repeated(int times, int stride, Place each) -> {
        for (int i = 0; i < times; i++) {
          visit(each, at + (long) i * stride, visitor);
        }
      }
      case Members(List<Member> members) -> {
        for (Member member : members) {
          visit(member.place, at + member.offset, visitor);
        }
      }
    }
  }
}
