package io.skerry.internal.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the removal of a dataset whose elements are in an external file. */
class ExternalNamesRemovalTest {
  @TempDir Path folder;

  private NativeFile opened(FileAccess access) {
    return NativeFileOpener.open(
        folder.resolve("external.h5"), access, Communicator.self(), FileOptions.standard());
  }

  /**
   * Replaces the storage of the dataset by an external file, which does not exist; returns the
   * blocks of the local heap with its name.
   */
  private static List<Block> externalize(NativeFile file) {
    Widths widths = file.tree().widths();
    // The empty string is at offset 0, and the name at offset 8.
    ByteWriter names = ByteWriter.create().zeros(8).text("values.bin").u8(0).zeros(5);
    List<Block> heap =
        file.collective()
            .steps()
            .together(
                Operation.WRITE,
                "/d",
                "",
                () -> {
                  SpaceAllocator space = file.collective().space();
                  Block header = space.allocateBlock(LocalHeap.headerSize(widths));
                  Block body = space.allocateBlock(names.position());
                  HeaderMessage external =
                      HeaderMessage.of(
                          new ExternalFilesMessage(
                              header.address(), List.of(new ExternalFilesMessage.Slot(8, 0, 16))));
                  file.tree()
                      .change(
                          Resolver.hardAddress(file, "/d"),
                          entries -> Stream.concat(entries.stream(), Stream.of(external)).toList());
                  return List.of(header, body);
                });
    Block body = heap.getLast();
    file.collective()
        .blocks()
        .store(
            "/d",
            List.of(
                LocalHeap.image(heap.getFirst().address(), body, widths),
                new BlockImage(body.address(), BlockKind.LOCAL_HEAP, names.written())));
    return heap;
  }

  @Test
  void unlinking_a_dataset_in_an_external_file_frees_the_name_of_the_file() {
    List<Block> heap;
    try (NativeFile file = opened(FileAccess.CREATE)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(4)).contiguous());
      heap = externalize(file);
    }
    try (NativeFile file = opened(FileAccess.WRITE)) {
      SpaceAllocator before = file.collective().space();
      assertTrue(heap.stream().allMatch(before::isTaken), heap::toString);
      file.unlink("/d");
      file.flush();
      SpaceAllocator after = file.collective().space();
      assertEquals(List.of(), heap.stream().filter(after::isTaken).toList());
    }
  }
}
