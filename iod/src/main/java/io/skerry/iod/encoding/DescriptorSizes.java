package io.skerry.iod.encoding;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The sizes of the descriptors of variable-length content in an element; converts a type from one
 * pair of sizes to another. As in the HDF5 library, each compound member moves by the total size
 * change of the members before it, so gaps are preserved.
 *
 * @param text the size of a descriptor of text, in bytes
 * @param sequence the size of a descriptor of a sequence, in bytes
 */
record DescriptorSizes(int text, int sequence) {
  /**
   * The sizes in memory on a 64-bit machine: a pointer for text, and a length with a pointer for a
   * sequence.
   */
  static final DescriptorSizes IN_MEMORY = new DescriptorSizes(8, 16);

  /** The sizes in the cells of a container. */
  static final DescriptorSizes IN_CONTAINER =
      new DescriptorSizes(VariableLength.FILE_SIZE, VariableLength.FILE_SIZE);

  /**
   * Returns a copy of a type in which descriptors have these sizes.
   *
   * @throws IllegalArgumentException if an element would occupy 2^31 bytes or more
   */
  Datatype applied(Datatype type) {
    return switch (type) {
      case VariableLength content -> applied(content);
      case ArrayType array -> new ArrayType(array.dimensions(), applied(array.base()));
      case Compound compound -> applied(compound);
      default -> type;
    };
  }

  private VariableLength applied(VariableLength content) {
    int size =
        switch (content.kind()) {
          case STRING -> text;
          case SEQUENCE -> sequence;
        };
    return new VariableLength(
        size, content.kind(), applied(content.base()), content.padding(), content.characterSet());
  }

  private Compound applied(Compound compound) {
    List<Compound.Member> members = compound.members();
    List<Compound.Member> changed = new ArrayList<>(members);
    List<Integer> byOffset =
        IntStream.range(0, members.size())
            .boxed()
            .sorted(Comparator.comparingInt(i -> members.get(i).offset()))
            .toList();
    long shift = 0;
    for (int i : byOffset) {
      Compound.Member member = members.get(i);
      Datatype type = applied(member.type());
      changed.set(i, new Compound.Member(member.name(), size(member.offset() + shift), type));
      shift += type.size() - member.type().size();
    }
    return new Compound(size(compound.size() + shift), changed);
  }

  private static int size(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("compound too large: bytes=" + bytes + " limit=2^31-1");
    }
    return (int) bytes;
  }
}
