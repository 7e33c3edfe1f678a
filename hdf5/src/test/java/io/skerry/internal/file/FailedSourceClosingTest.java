package io.skerry.internal.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.datatype.Datatype;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the failure of one rank to close a source file of a virtual dataset. */
class FailedSourceClosingTest {
  private static final int FAILING = 1;

  @TempDir Path folder;

  /** Finds no sources, and fails to close them on one rank. */
  private record Sources(int rank) implements SourceDatasets {
    @Override
    public <T> T guarded(String path, Supplier<T> step) {
      return step.get();
    }

    @Override
    public Optional<NativeDataset> find(VirtualMapping mapping, long block, String path) {
      return Optional.empty();
    }

    @Override
    public Optional<ReferencedFiles.Found> locate(VirtualMapping mapping, long block, String path) {
      return Optional.empty();
    }

    @Override
    public VirtualView view() {
      return FileOptions.standard().virtualView();
    }

    @Override
    public ReferencedFiles.Found vacancy(VirtualMapping mapping, long block, String path) {
      throw new IllegalStateException("no dataset has sources: " + path);
    }

    @Override
    public Optional<Source> source(VirtualMapping mapping, long block, String path) {
      return Optional.empty();
    }

    @Override
    public Optional<Source> shared(VirtualMapping mapping, long block, String path) {
      return Optional.empty();
    }

    @Override
    public int makeRoom(int number, String path) {
      return number;
    }

    @Override
    public FileOptions.MissingSources missing() {
      return FileOptions.standard().missingSources();
    }

    @Override
    public HdfFile openForWriting(ReferencedFiles.Found found, FileAccess access) {
      throw new IllegalStateException("no dataset has sources: " + found);
    }

    @Override
    public void close() {
      if (rank == FAILING) {
        throw new MpiException("close", MpiErrorClass.IO, 0, "Input/output error", "self", 0);
      }
    }
  }

  /** Changes a file and then closes or discards it, which must fail on all ranks. */
  private void ends(Path path, Consumer<NativeFile> ending) {
    LocalRanks.run(
        3,
        world -> {
          NativeFile opened =
              NativeFileOpener.open(path, FileAccess.WRITE, world, FileOptions.standard());
          NativeFile file =
              new NativeFile(
                  opened.collective(),
                  opened.tree(),
                  new Sources(world.rank()),
                  found -> {
                    throw new IllegalStateException("no link leads out: " + found);
                  });
          NativeDataset dataset = opened.dataset("/d");
          boolean writes = world.rank() == 0;
          try (var values = Arena.ofConfined()) {
            dataset.write(
                writes ? Selection.all() : Selection.none(),
                Datatype.I32,
                values.allocate(writes ? 8 * Integer.BYTES : 0).fill((byte) 1));
          }
          CollectiveException failure =
              assertThrows(CollectiveException.class, () -> ending.accept(file));
          assertEquals(List.of(FAILING), failure.failingRanks());
          assertTrue(failure.getMessage().contains("Input/output error"), failure.getMessage());
          assertTrue(opened.collective().isClosed());
          world.barrier();
        });
  }

  private Path created() {
    Path path = folder.resolve("virtual.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(8)).chunked(4));
    }
    return path;
  }

  @Test
  void closing_fails_on_all_ranks_after_the_changes_were_stored() {
    Path path = created();
    ends(path, NativeFile::close);
    int[] expected = new int[8];
    Arrays.fill(expected, 0x01010101);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(expected, file.dataset("/d").readInts(Selection.all()));
    }
  }

  @Test
  void discarding_fails_on_all_ranks() {
    Path path = created();
    ends(path, NativeFile::discard);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(new int[8], file.dataset("/d").readInts(Selection.all()));
    }
  }
}
