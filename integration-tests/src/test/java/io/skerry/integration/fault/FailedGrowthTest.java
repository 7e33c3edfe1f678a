package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a failed extension of a dataset with an implicit index. HDF5 has not filled the chunk that
 * the extension adds, and Skerry cannot fill it since a chunk does not fit into the heap.
 */
class FailedGrowthTest {
  private static final int CHUNK = 1 << 26;

  private static final String PROGRAM =
      """
      import sys, h5py, numpy
      chunk = int(sys.argv[2])
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
      p.set_chunk((chunk,))
      p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
      p.set_fill_value(numpy.array(7, 'u1'))
      s = h5py.h5s.create_simple((1,), (2 * chunk,))
      h5py.h5d.create(f.id, b'd', h5py.h5t.STD_U8LE, s, p)
      f.close()
      """;

  @TempDir Path folder;

  /**
   * Extends the dataset in a separate process with a limited heap.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      Dataset data = file.dataset("/d");
      assertThrows(RuntimeException.class, () -> data.extendTo(CHUNK + 1));
      assertArrayEquals(new long[] {1}, data.shape().extent());
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(new long[] {1}, file.dataset("/d").shape().extent());
    }
  }

  @Test
  void chunks_that_could_not_be_filled_stay_outside_the_extent() throws InterruptedException {
    List<Oracle> pythons = Oracle.h5py();
    assumeTrue(!pythons.isEmpty(), "skipped: no Python with h5py");
    Path path = folder.resolve("growth.h5");
    var unused = pythons.getFirst().run(folder, "-c", PROGRAM, path, CHUNK).expectSuccess();
    ChildProgram.Ended ended =
        ChildProgram.of(FailedGrowthTest.class, path)
            .withJvmOptions("-Xmx48m")
            .run(folder, "log", Duration.ofMinutes(1));
    assertEquals(0, ended.exitCode(), ended.output());
  }
}
