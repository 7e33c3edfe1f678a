package io.skerry.datatype;

import io.skerry.chunk.datatype.conversion.BinaryReal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Finds elements that the library converts differently, except for {@link LibraryQuirks}. */
final class LibraryDifferences {
  private final List<String> found = new ArrayList<>();

  private final String version;

  private LibraryDifferences(String version) {
    this.version = version;
  }

  static List<String> find(
      RandomTypes.Pair pair, byte[] in, byte[] ours, byte[] library, String version) {
    LibraryDifferences differences = new LibraryDifferences(version);
    int inSize = pair.from().size();
    int size = pair.to().size();
    for (int i = 0; i < ours.length / size; i++) {
      differences.compare(
          pair,
          MemorySegment.ofArray(in).asSlice((long) i * inSize, inSize),
          MemorySegment.ofArray(ours).asSlice((long) i * size, size),
          MemorySegment.ofArray(library).asSlice((long) i * size, size));
    }
    return differences.found;
  }

  private void compare(
      RandomTypes.Pair pair, MemorySegment in, MemorySegment ours, MemorySegment library) {
    if (ours.mismatch(library) == -1) {
      return;
    }
    if (pair.from() instanceof Compound from && pair.to() instanceof Compound to) {
      members(from, to, in, ours, library);
    } else if (pair.from() instanceof ArrayType from && pair.to() instanceof ArrayType to) {
      int inSize = from.base().size();
      int size = to.base().size();
      for (int i = 0; i < to.size() / size; i++) {
        compare(
            new RandomTypes.Pair(from.base(), to.base()),
            in.asSlice((long) i * inSize, inSize),
            ours.asSlice((long) i * size, size),
            library.asSlice((long) i * size, size));
      }
    } else if (pair.from() instanceof ComplexType from && pair.to() instanceof ComplexType to) {
      compare(
          new RandomTypes.Pair(
              new ArrayType(List.of(2), from.part()), new ArrayType(List.of(2), to.part())),
          in,
          ours,
          library);
    } else if (pair.from() instanceof ComplexType from) {
      compare(
          new RandomTypes.Pair(from.part(), pair.to()),
          in.asSlice(0, from.part().size()),
          ours,
          library);
    } else if (pair.to() instanceof ComplexType to) {
      compare(
          new RandomTypes.Pair(pair.from(), to.part()),
          in,
          ours.asSlice(0, to.part().size()),
          library.asSlice(0, to.part().size()));
    } else if (!LibraryQuirks.explain(pair, in, ours, library, version)) {
      found.add(
          pair
              + " in="
              + hex(in)
              + value(pair.from(), in)
              + " ours="
              + hex(ours)
              + " library="
              + hex(library));
    }
  }

  private static String value(Datatype type, MemorySegment in) {
    return type instanceof FloatingPoint f ? "(" + BinaryReal.read(f, in, 0).toDouble() + ")" : "";
  }

  private static String hex(MemorySegment bytes) {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  private void members(
      Compound from, Compound to, MemorySegment in, MemorySegment ours, MemorySegment library) {
    Map<String, Compound.Member> sources = new HashMap<>();
    from.members().forEach(member -> sources.put(member.name(), member));
    MemorySegment rest = MemorySegment.ofArray(new byte[to.size()]).copyFrom(ours);
    for (Compound.Member member : to.members()) {
      Compound.Member source = sources.get(member.name());
      if (source != null) {
        int size = member.type().size();
        compare(
            new RandomTypes.Pair(source.type(), member.type()),
            in.asSlice(source.offset(), source.type().size()),
            ours.asSlice(member.offset(), size),
            library.asSlice(member.offset(), size));
        MemorySegment.copy(library, member.offset(), rest, member.offset(), size);
      }
    }
    if (rest.mismatch(library) != -1) {
      found.add(
          "kept bytes: " + from + " -> " + to + " ours=" + hex(rest) + " library=" + hex(library));
    }
  }
}
