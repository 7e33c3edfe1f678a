package io.skerry.peers;

import static org.bytedeco.hdf5.global.hdf5.*;

import java.nio.file.Path;
import org.bytedeco.hdf5.PredType;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;

/**
 * Small reads with the HDF5 library, as in optimized C code: the dataset is opened, and the
 * dataspaces and the memory are created, in advance, and a read consists of a hyperslab selection
 * and {@code H5Dread}. The library supports only one call at a time, so one lock guards both calls.
 */
final class Libhdf5Boxes implements AutoCloseable {
  /**
   * The number of hash table slots: a prime number that is more than a hundred times the number of
   * chunks, as the chunking guide of HDF5 recommends.
   */
  private static final long SLOTS = 12_421;

  private static final long CACHE = 256 << 20;

  private final Object lock = new Object();
  private final long file;
  private final long dataset;

  Libhdf5Boxes(Path path, String name) {
    this.file = good(H5Fopen(path.toString(), H5F_ACC_RDONLY(), H5P_DEFAULT()));
    long access = good(H5Pcreate(H5P_CLS_DATASET_ACCESS_ID_g()));
    good(H5Pset_chunk_cache(access, SLOTS, CACHE, 0.75));
    this.dataset = good(H5Dopen2(file, name, access));
    good(H5Pclose(access));
  }

  private static long good(long result) {
    if (result < 0) {
      throw new IllegalStateException("the HDF5 library failed: result=" + result);
    }
    return result;
  }

  /** Creates a reader with its own dataspaces. */
  BoxReader reader(Boxes boxes) {
    synchronized (lock) {
      return new Reader(boxes);
    }
  }

  private final class Reader implements BoxReader {
    private final LongPointer start = new LongPointer(2);
    private final LongPointer count;
    private final LongPointer none = new LongPointer();
    private final IntPointer values;
    private final int elements;
    private final long type = PredType.NATIVE_INT32().getId();
    private final long fileSpace = good(H5Dget_space(dataset));
    private final long memorySpace;

    Reader(Boxes boxes) {
      this.elements = boxes.elements();
      this.values = new IntPointer(elements);
      this.count = new LongPointer(boxes.rows(), boxes.columns());
      this.memorySpace = good(H5Screate_simple(2, count, none));
    }

    @Override
    public void read(int row, int column) {
      start.put(0, row).put(1, column);
      synchronized (lock) {
        good(H5Sselect_hyperslab(fileSpace, H5S_SELECT_SET, start, none, count, none));
        good(H5Dread(dataset, type, memorySpace, fileSpace, H5P_DEFAULT(), values));
      }
    }

    @Override
    public long sum() {
      long sum = 0;
      for (int i = 0; i < elements; i++) {
        sum += values.get(i);
      }
      return sum;
    }
  }

  @Override
  public void close() {
    // The dataspaces and the memory are released only when the process ends.
    good(H5Dclose(dataset));
    good(H5Fclose(file));
  }
}
