package io.skerry.internal.file;

import io.skerry.DatasetSpec;
import io.skerry.VirtualLayout;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.heap.GlobalHeapWriter.Reference;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.vds.MappingsEncoder;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.LayoutConversion;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Creates virtual datasets. Rank 0 stores the mappings in the global heap before the dataset is
 * created; if the creation then fails, they are released again. Collective.
 */
final class VirtualCreation {
  private final NativeFile file;

  VirtualCreation(NativeFile file) {
    this.file = file;
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
            : store(path, encoded);
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
        release(stored, encoded.byteSize());
      }
    }
  }

  private MemorySegment encoded(VirtualLayout layout) {
    return MappingsEncoder.encode(
        LayoutConversion.mappings(layout), file.tree().forms().bounds(), file.tree().widths());
  }

  /** Stores the mappings and returns the message that refers to them, equal on all ranks. */
  private VirtualLayoutMessage store(String path, MemorySegment encoded) {
    MemorySegment reference =
        file.collective()
            .heap()
            .storeCommon(
                path,
                0,
                writer -> {
                  Reference at = writer.add(encoded);
                  ByteWriter out = ByteWriter.create();
                  return out.u64(at.collection()).u32(at.index()).written();
                });
    ByteReader in = ByteReader.of(reference, "reference to virtual mappings");
    return new VirtualLayoutMessage(in.i64(), in.u32());
  }

  private void release(VirtualLayoutMessage stored, long bytes) {
    if (FileAddress.isDefined(stored.heapAddress()) && file.collective().ranks().rank() == 0) {
      file.collective()
          .heap()
          .release(List.of(new Reference(stored.heapAddress(), (int) stored.index())), bytes);
    }
  }
}
