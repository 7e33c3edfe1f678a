package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import java.util.HashMap;
import java.util.Map;

/**
 * Enumerations by name: a value becomes the value that its name has in the other type. What has no
 * name there, or none at all, becomes all ones, as in HDF5.
 */
final class EnumerationConverter {
  private EnumerationConverter() {}

  static Converter of(Enumeration from, Enumeration to) {
    Map<String, Long> values = new HashMap<>();
    to.members().forEach(member -> values.putIfAbsent(member.name(), member.value()));
    Map<Long, Long> renamed = new HashMap<>();
    for (Enumeration.Member member : from.members()) {
      Long value = values.get(member.name());
      if (value != null) {
        renamed.putIfAbsent(member.value(), value);
      }
    }
    IntegerElements in = new IntegerElements(bits(from.base()));
    IntegerElements out = new IntegerElements(bits(to.base()));
    return new Converter.FullWrite(
        to.size(),
        (source, target, elements) -> {
          long[] block = new long[(int) Math.min(NumberConverters.BLOCK, elements)];
          for (long at = 0; at < elements; at += block.length) {
            int n = (int) Math.min(block.length, elements - at);
            in.load(source, at, block, n);
            for (int i = 0; i < n; i++) {
              block[i] = renamed.getOrDefault(block[i], -1L);
            }
            out.store(target, at, block, n);
          }
        });
  }

  /** A member's value is all bits of the element, whatever part of them is the number. */
  private static FixedPoint bits(FixedPoint base) {
    return FixedPoint.of(base.size(), base.signedness(), base.order());
  }
}
