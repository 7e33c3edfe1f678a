package io.skerry.chunk.filter.packed;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.FilterTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Derives the client data of the nbit filter from a datatype, in the format of {@link NbitType}.
 */
final class NbitBinding {
  /** Maximum number of client data values that the HDF5 library accepts. */
  private static final int MAX_VALUES = 4096;

  private final IntStream.Builder data = IntStream.builder();
  private boolean worthwhile;
  private boolean possible = true;

  private NbitBinding() {}

  /**
   * Returns all client data for a dataset.
   *
   * @return the client data; empty if a part of the type cannot be described, if there would be too
   *     many values, or if a chunk has more than 2^32-1 elements
   */
  static Optional<int[]> clientData(FilterTarget.Chunk chunk) {
    if (chunk.elements() > 0xffffffffL) {
      return Optional.empty();
    }
    NbitBinding binding = new NbitBinding();
    switch (chunk.type()) {
      case FixedPoint _, FloatingPoint _, ArrayType _, Compound _ -> binding.add(chunk.type());
      // Other top-level types need no description, because the filter leaves them unchanged.
      default -> {}
    }
    int[] tree = binding.data.build().toArray();
    int[] all = new int[3 + tree.length];
    all[0] = all.length;
    all[1] = binding.worthwhile ? 0 : 1;
    all[2] = (int) chunk.elements();
    System.arraycopy(tree, 0, all, 3, tree.length);
    return binding.possible && all.length <= MAX_VALUES ? Optional.of(all) : Optional.empty();
  }

  private void add(Datatype type) {
    switch (type) {
      case FixedPoint(int size, Endian order, _, int offset, int precision, _) ->
          number(size, order, precision, offset);
      case FloatingPoint f -> number(f.size(), f.order(), f.precision(), f.offset());
      case ArrayType array -> {
        data.add(2).add(array.size());
        possible &= !(array.base() instanceof VariableLength);
        add(array.base());
      }
      case Compound compound -> compound(compound);
      default -> data.add(4).add(type.size());
    }
  }

  private void number(int size, Endian order, int precision, int offset) {
    data.add(1).add(size).add(order == Endian.BIG ? 1 : 0).add(precision).add(offset);
    possible &= order != Endian.VAX;
    worthwhile |= offset != 0 || precision != 8 * size;
  }

  private void compound(Compound compound) {
    List<Compound.Member> members = compound.members();
    data.add(3).add(compound.size()).add(members.size());
    for (int i = 0; i < members.size(); i++) {
      Compound.Member member = members.get(i);
      data.add(member.offset());
      if (member.type() instanceof VariableLength) {
        // For a variable-length member, the HDF5 library records the space up to the next member as
        // the size.
        int next = i + 1 < members.size() ? members.get(i + 1).offset() : compound.size();
        data.add(4).add(next - member.offset());
        possible &= next - member.offset() >= member.type().size();
      } else {
        add(member.type());
      }
    }
  }
}
