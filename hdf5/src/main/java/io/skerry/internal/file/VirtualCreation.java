package io.skerry.internal.file;

import io.skerry.DatasetSpec;
import io.skerry.VirtualLayout;
import io.skerry.format.block.FileAddress;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.vds.MappingsEncoder;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.LayoutConversion;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;

/**
 * Creates virtual datasets. Rank 0 stores the mappings in the global heap before the dataset is
 * created; if the creation then fails, the mappings are released. Collective.
 */
final class VirtualCreation {
  private final NativeFile file;
  private final MappingStorage mappings;

  VirtualCreation(NativeFile file) {
    this.file = file;
    this.mappings = new MappingStorage(file);
  }

  NativeDataset create(String path, DatasetSpec spec, VirtualLayout layout) {
    MemorySegment encoded =
        file.collective()
            .steps()
            .together(
                Operation.CREATE_OBJECT,
                path,
                spec.describe(),
                () -> {
                  FreeName.check(file, path);
                  return encoded(layout);
                });
    VirtualLayoutMessage stored =
        layout.mappings().isEmpty()
            ? new VirtualLayoutMessage(FileAddress.UNDEFINED, 0)
            : mappings.add(path, encoded);
    boolean done = false;
    try {
      NativeDataset dataset =
          file.collective()
              .steps()
              .together(
                  Operation.CREATE_OBJECT,
                  path,
                  "virtual",
                  () -> new DatasetCreation(file).create(path, spec, stored));
      done = true;
      return dataset;
    } finally {
      if (!done) {
        mappings.release(stored, encoded.byteSize());
      }
    }
  }

  private MemorySegment encoded(VirtualLayout layout) {
    return MappingsEncoder.encode(
        LayoutConversion.mappings(layout), file.tree().forms().bounds(), file.tree().widths());
  }
}
