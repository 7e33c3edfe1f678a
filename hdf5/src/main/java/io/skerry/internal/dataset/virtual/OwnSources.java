package io.skerry.internal.dataset.virtual;

import io.skerry.NoSuchObjectException;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.format.vds.NamePattern;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sources of a virtual dataset in its own file, which is open for writing and cannot be opened
 * again for reading.
 */
final class OwnSources {
  private final HdfFile file;
  private final Map<String, Optional<NativeDataset>> datasets = new HashMap<>();

  private OwnSources(HdfFile file) {
    this.file = file;
  }

  /** Opens the sources in the file of a virtual dataset, and their sources there. Collective. */
  static OwnSources open(HdfFile file, VirtualMappings mappings) {
    OwnSources own = new OwnSources(file);
    own.open(mappings);
    return own;
  }

  private void open(VirtualMappings mappings) {
    NamePattern before = new NamePattern("");
    for (VirtualMapping mapping : mappings.entries()) {
      String name = mapping.dataset().name(0);
      boolean repeated = mapping.dataset().equals(before) || datasets.containsKey(name);
      if (!repeated && isHere(mapping, 0)) {
        before = mapping.dataset();
        open(name);
      }
    }
  }

  private void open(String name) {
    Optional<NativeDataset> source = Optional.empty();
    try {
      source = Optional.of(file.dataset(name));
    } catch (NoSuchObjectException e) {
      // The write reports it if it needs the source.
    }
    datasets.put(name, source);
    if (source.isPresent()
        && source.get().file().equals(file)
        && source.get().opened() instanceof Storage.Virtual(MappedContent nested)) {
      open(nested.mappings());
    }
  }

  private boolean isHere(VirtualMapping mapping, long block) {
    String name = mapping.file().name(block);
    ReferencedFiles others = file.collective().others();
    return name.equals(VirtualMapping.SAME_FILE) || others.isItself(name);
  }

  /** Returns the source of a part; empty if its file or the dataset in it does not exist. */
  Optional<NativeDataset> find(Part part, MappingSources sources) {
    String name = part.mapping().dataset().name(part.block());
    return datasets.containsKey(name) && isHere(part.mapping(), part.block())
        ? datasets.get(name)
        : sources.find(part.mapping(), part.block());
  }

  /** Returns the own sources of a source, which may be in another file. */
  OwnSources of(NativeDataset source) {
    return source.file().equals(file) ? this : new OwnSources(source.file());
  }
}
