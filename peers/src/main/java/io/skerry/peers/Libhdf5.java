package io.skerry.peers;

import static org.bytedeco.hdf5.global.hdf5.*;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.hdf5.H5L_info2_t;
import org.bytedeco.hdf5.H5L_iterate2_t;
import org.bytedeco.hdf5.PredType;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * The HDF5 library as built by Bytedeco, called through its C functions. It uses native memory
 * only.
 *
 * @param room the memory into which the dataset is read
 */
record Libhdf5(MemorySegment room) implements Library {
  @Override
  public String name() {
    return "libhdf5 (native)";
  }

  private static long good(long result) {
    if (result < 0) {
      throw new IllegalStateException("the HDF5 library failed: result=" + result);
    }
    return result;
  }

  private static Pointer pointer(MemorySegment memory) {
    return new BytePointer(memory.asByteBuffer());
  }

  private static long floats() {
    return PredType.NATIVE_FLOAT().getId();
  }

  @Override
  public MemorySegment read(Path path) {
    long file = good(H5Fopen(path.toString(), H5F_ACC_RDONLY(), H5P_DEFAULT()));
    long dataset = good(H5Dopen2(file, DATASET, H5P_DEFAULT()));
    good(H5Dread(dataset, floats(), H5S_ALL(), H5S_ALL(), H5P_DEFAULT(), pointer(room)));
    good(H5Dclose(dataset));
    good(H5Fclose(file));
    return room;
  }

  @Override
  public void write(Path path, Layout layout, Source values) {
    long access = good(H5Pcreate(H5P_CLS_FILE_ACCESS_ID_g()));
    good(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    long file = good(H5Fcreate(path.toString(), H5F_ACC_TRUNC(), H5P_DEFAULT(), access));
    long space =
        good(H5Screate_simple(2, new long[] {values.rowCount(), values.columnCount()}, null));
    long creation = good(H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g()));
    if (layout.isChunked()) {
      good(H5Pset_chunk(creation, 2, Layout.CHUNK_ROWS, Layout.CHUNK_COLUMNS));
    }
    if (layout == Layout.DEFLATE) {
      good(H5Pset_shuffle(creation));
      good(H5Pset_deflate(creation, Layout.LEVEL));
    }
    long dataset =
        good(H5Dcreate2(file, DATASET, floats(), space, H5P_DEFAULT(), creation, H5P_DEFAULT()));
    Pointer from = pointer(values.memory());
    good(H5Dwrite(dataset, floats(), H5S_ALL(), H5S_ALL(), H5P_DEFAULT(), from));
    good(H5Dclose(dataset));
    good(H5Pclose(creation));
    good(H5Sclose(space));
    good(H5Fclose(file));
    good(H5Pclose(access));
  }

  /** A callback of the HDF5 library that collects the names of links. */
  private static final class Names extends H5L_iterate2_t {
    private final List<String> found = new ArrayList<>();

    @Override
    public int call(long group, BytePointer name, H5L_info2_t info, Pointer data) {
      found.add(name.getString());
      return 0;
    }
  }

  private static List<String> names(long group) {
    try (Names names = new Names()) {
      good(H5Literate2(group, H5_INDEX_NAME, H5_ITER_INC, new LongPointer(), names, new Pointer()));
      return names.found;
    }
  }

  @Override
  public long list(Path path, String name) {
    long file = good(H5Fopen(path.toString(), H5F_ACC_RDONLY(), H5P_DEFAULT()));
    long group = good(H5Gopen2(file, name, H5P_DEFAULT()));
    long sum = names(group).stream().mapToLong(Library::token).sum();
    good(H5Gclose(group));
    good(H5Fclose(file));
    return sum;
  }

  @Override
  public long walk(Path path, String name) {
    long file = good(H5Fopen(path.toString(), H5F_ACC_RDONLY(), H5P_DEFAULT()));
    long group = good(H5Gopen2(file, name, H5P_DEFAULT()));
    long sum = 0;
    long[] extent = new long[32];
    for (String member : names(group)) {
      long dataset = good(H5Dopen2(group, member, H5P_DEFAULT()));
      long space = good(H5Dget_space(dataset));
      good(H5Sget_simple_extent_dims(space, extent, new long[32]));
      sum += extent[0];
      good(H5Sclose(space));
      good(H5Dclose(dataset));
    }
    good(H5Gclose(group));
    good(H5Fclose(file));
    return sum;
  }
}
