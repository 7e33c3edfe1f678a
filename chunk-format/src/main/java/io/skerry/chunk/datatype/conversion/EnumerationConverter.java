package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import java.util.HashMap;
import java.util.Map;

/**
 * Converts enumerations by name: a value is converted to the value that its name has in the target
 * type. As in HDF5, the result has all bits set if the value has no name. It also has all bits set
 * if the name does not exist in the target.
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

  /**
   * Returns an integer type that covers all bits: the value of a member consists of all bits of the
   * element, not only of those within the precision.
   */
  private static FixedPoint bits(FixedPoint base) {
    return FixedPoint.of(base.size(), base.signedness(), base.order());
  }
}
