package io.skerry.jobs.interchange.form;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.filter.FilterSpec;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Writes and reads a matrix as compressed sparse rows or columns. The form is a group with three
 * datasets: {@code data} and {@code indices} with one value per element, and {@code indptr} with
 * the index in these datasets at which each row or column begins, followed by the number of
 * elements.
 *
 * <p>The group has the attributes of AnnData: {@code encoding-type} ({@code csr_matrix} or {@code
 * csc_matrix}), {@code encoding-version} 0.1.0 and {@code shape}. Indices and pointers have type
 * i32 if it suffices, as in scipy, otherwise i64. Groups written by older AnnData versions ({@code
 * h5sparse_format}, {@code h5sparse_shape}) can also be read, as can groups written by 10x Cell
 * Ranger, in which {@code shape} is a dataset and the matrix is stored by columns.
 *
 * <p>Source: AnnData's on-disk format, section "Sparse arrays"; 10x Genomics' feature-barcode
 * matrices in HDF5.
 */
public enum CompressedForm {
  /** Compressed sparse rows. */
  CSR("csr", 0),
  /** Compressed sparse columns. */
  CSC("csc", 1);

  private static final String ENCODING_VERSION = "0.1.0";
  private static final String DATA = "data";
  private static final String INDICES = "indices";
  private static final String POINTERS = "indptr";

  /** The names of the three datasets in the group. */
  public static final List<String> MEMBERS = List.of(DATA, INDICES, POINTERS);

  private final String name;

  /** The dimension of the matrix that {@code indptr} indexes: 0 for rows, 1 for columns. */
  private final int major;

  CompressedForm(String name, int major) {
    this.name = name;
    this.major = major;
  }

  /**
   * Writes a matrix.
   *
   * @param path the path of the new group
   * @return the number of elements written
   */
  public long write(ElementView view, H5File file, String path, List<FilterSpec> filters) {
    long[] extent = view.extent();
    long count = view.count();
    boolean small = Math.max(count, Math.max(extent[0], extent[1])) <= Integer.MAX_VALUE;
    Datatype index = small ? Datatype.I32 : Datatype.I64;
    InterchangeGroup group =
        InterchangeGroup.create(file, path, name + "_matrix", ENCODING_VERSION, view);
    Shape listed = Shape.of(count);
    Appender data = new Appender(group.create(DATA, view.dataset().datatype(), listed, filters));
    Appender indices = new Appender(group.create(INDICES, index, listed, filters));
    Pointers pointers =
        new Pointers(
            new Appender(group.create(POINTERS, index, Shape.of(extent[major] + 1), filters)));
    inOrder(
        view,
        entries -> {
          data.append(entries.values());
          indices.append(entries.dimension(1 - major));
          pointers.count(entries.dimension(major));
        });
    pointers.finish(extent[major]);
    return count;
  }

  private void inOrder(ElementView view, ElementSink sink) {
    switch (this) {
      case CSR -> view.forEach(sink);
      case CSC -> new ColumnOrder(view).forEach(sink);
    }
  }

  /** Computes {@code indptr} from the row (or column) of each element, in order. */
  private static final class Pointers {
    private final Appender out;
    private long row = -1;
    private long elements;

    Pointers(Appender out) {
      this.out = out;
    }

    void count(long[] rows) {
      for (long next : rows) {
        advance(next);
        elements++;
      }
    }

    private void advance(long to) {
      for (; row < to; row++) {
        out.append(elements);
      }
    }

    void finish(long rows) {
      advance(rows);
      out.flush();
    }
  }

  /**
   * Opens the matrix in a group.
   *
   * @throws FormatException if the group does not contain a matrix in this form
   */
  public ElementSource open(InterchangeSource from) {
    InterchangeGroup group = from.group();
    String found =
        group
            .text(InterchangeGroup.TYPE)
            .or(() -> group.text("h5sparse_format").map(text -> text + "_matrix"))
            .orElse(group.has(InterchangeGroup.SHAPE) ? "csc_matrix" : "none");
    if (!found.equals(name + "_matrix")) {
      throw new FormatException(
          "encoding of the matrix in " + group.path(), name + "_matrix", found);
    }
    long[] extent =
        group
            .numbers(InterchangeGroup.SHAPE)
            .or(() -> group.numbers("h5sparse_shape"))
            .orElseGet(() -> listed(group.vector(InterchangeGroup.SHAPE)));
    if (extent.length != 2 || extent[0] < 0 || extent[1] < 0) {
      throw new FormatException(
          "shape of the matrix in " + group.path(), "two sizes", Arrays.toString(extent));
    }
    Dataset data = group.vector(DATA);
    Source source =
        new Source(extent, data, group.vector(INDICES), group.vector(POINTERS), major, group);
    source.check();
    return source;
  }

  private static long[] listed(Dataset shape) {
    // Checked before the read, because the dataset can have any length.
    equal("elements of " + shape.path(), 2, shape.shape().elements());
    return shape.readLongs(Selection.all());
  }

  private static void equal(String what, long expected, long actual) {
    if (expected != actual) {
      throw new FormatException(what, expected, actual);
    }
  }

  /** A matrix in a group, open for reading. */
  private record Source(
      long[] extent,
      Dataset data,
      Dataset indices,
      Dataset pointers,
      int major,
      InterchangeGroup group)
      implements ElementSource {

    private void check() {
      long count = data.shape().elements();
      equal("elements of " + indices.path(), count, indices.shape().elements());
      equal("elements of " + pointers.path(), extent[major] + 1, pointers.shape().elements());
      equal("first of " + pointers.path(), 0, pointers.readLongs(Selection.at(0))[0]);
      equal(
          "last of " + pointers.path(), count, pointers.readLongs(Selection.at(extent[major]))[0]);
      long last = 0;
      for (long at = 0; at <= extent[major]; at += Entries.MOST) {
        long n = Math.min(Entries.MOST, extent[major] + 1 - at);
        for (long pointer : pointers.readLongs(Selection.at(at).extent(n))) {
          if (pointer < last) {
            throw new FormatException("order of " + pointers.path(), "at least " + last, pointer);
          }
          last = pointer;
        }
      }
    }

    @Override
    public Datatype datatype() {
      return data.datatype();
    }

    @Override
    public byte[] fillValue() {
      return group.fill(datatype()).orElseGet(() -> new byte[datatype().size()]);
    }

    @Override
    public List<String> ignored() {
      return group.others(Set.of(DATA, INDICES, POINTERS, InterchangeGroup.SHAPE));
    }

    @Override
    public long count() {
      return data.shape().elements();
    }

    @Override
    public void forEach(ElementSink sink) {
      long[] begin = new long[0];
      long firstRow = 0;
      int row = 0;
      int most = Entries.most(datatype().size());
      for (long at = 0; at < count(); at += most) {
        int n = (int) Math.min(most, count() - at);
        Selection part = Selection.at(at).extent(n);
        long[] minor = indices.readLongs(part);
        long[] coordinates = new long[2 * n];
        for (int i = 0; i < n; i++) {
          while (row + 1 >= begin.length || begin[row + 1] <= at + i) {
            if (row + 1 >= begin.length) {
              firstRow += row;
              row = 0;
              begin = pointers(firstRow);
            } else {
              row++;
            }
          }
          if (minor[i] < 0 || minor[i] >= extent[1 - major]) {
            throw new FormatException(
                "index in " + indices.path(), "below " + extent[1 - major], minor[i]);
          }
          coordinates[2 * i + major] = firstRow + row;
          coordinates[2 * i + 1 - major] = minor[i];
        }
        MemorySegment values = MemorySegment.ofArray(new byte[n * datatype().size()]);
        data.read(part, datatype(), values);
        sink.accept(new Entries(2, coordinates, values));
      }
    }

    /**
     * Reads a batch of pointers, beginning with that of {@code firstRow}. At least two pointers
     * remain, because the remaining elements belong to {@code firstRow} or to later rows.
     */
    private long[] pointers(long firstRow) {
      long n = Math.min(Entries.MOST, extent[major] + 1 - firstRow);
      return pointers.readLongs(Selection.at(firstRow).extent(n));
    }
  }
}
