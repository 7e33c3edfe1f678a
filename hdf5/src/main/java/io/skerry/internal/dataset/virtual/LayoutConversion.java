package io.skerry.internal.dataset.virtual;

import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.format.vds.NamePattern;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Converts the mappings of the API to those of the file format, and back. */
public final class LayoutConversion {
  private LayoutConversion() {}

  /** Returns the mappings of a layout in the form in which they are encoded. */
  public static VirtualMappings mappings(VirtualLayout layout) {
    Map<String, NamePattern> names = new HashMap<>();
    List<VirtualMapping> entries = new ArrayList<>(layout.mappings().size());
    for (VirtualLayout.Mapping mapping : layout.mappings()) {
      VirtualSource source = mapping.source();
      entries.add(
          new VirtualMapping(
              names.computeIfAbsent(source.file(), NamePattern::new),
              names.computeIfAbsent(source.dataset(), NamePattern::new),
              source.selection(),
              mapping.virtual()));
    }
    return new VirtualMappings(entries);
  }

  /** Returns decoded mappings as a layout. */
  static VirtualLayout layout(VirtualMappings mappings) {
    return new VirtualLayout(
        mappings.entries().stream()
            .map(entry ->
                new VirtualLayout.Mapping(
                    entry.virtual(),
                    new VirtualSource(entry.file().text(), entry.dataset().text(), entry.source())))
            .toList());
  }
}
