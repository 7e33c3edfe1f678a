package io.skerry.chunk.datatype;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import java.util.List;

/**
 * The locations of the variable-length parts in an element of a datatype. Such a part is a
 * descriptor of content that is stored elsewhere. The content may itself have variable-length
 * parts. Immutable.
 */
public final class VariableLengthParts {
  private static final VariableLengthParts NONE = new VariableLengthParts(new Nowhere());

  private final Place place;

  private VariableLengthParts(Place place) {
    this.place = place;
  }

  /** Receives the parts of an element. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives a part.
     *
     * @param part the part
     * @param at the offset of its descriptor, in bytes
     */
    void part(Part part, long at);
  }

  /**
   * A variable-length part.
   *
   * @param type the type of the part
   * @param baseSize the size of an element of the base type in bytes, or 1 for text
   * @param inner the variable-length parts of an element of the base type
   */
  public record Part(VariableLength type, int baseSize, VariableLengthParts inner) {}

  private sealed interface Place {}

  private record Nowhere() implements Place {}

  private record One(Part part) implements Place {}

  private record Repeated(int times, int stride, Place each) implements Place {}

  private record Members(List<Member> members) implements Place {}

  private record Member(int offset, Place place) {}

  /** Returns the variable-length parts of a datatype. */
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

  /** Returns whether elements of the type have no variable-length parts. */
  public boolean isNone() {
    return place instanceof Nowhere;
  }

  /**
   * Visits the parts of an element.
   *
   * @param at the offset of the element, in bytes
   * @param visitor the visitor that receives the parts
   */
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
