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
 * Writes and reads an array of any rank as a coordinate list. The form is a group with two
 * datasets: {@code data} with one value per element, and {@code coords} with one row per dimension.
 * {@code sparse.COO} and {@code scipy.sparse.coo_array} accept these datasets without a
 * transposition:
 *
 * <pre>
 *   coo_array((g["data"][:], tuple(g["coords"][:])), shape=g.attrs["shape"])
 * </pre>
 *
 * <p>The attributes of the group are {@code encoding-type} coo, {@code encoding-version} 0.1.0,
 * {@code shape}, and the fill value. The elements are written in row-major order; elements in any
 * order can be read.
 */
public final class CoordinateForm {
  private static final String ENCODING = "coo";
  private static final String ENCODING_VERSION = "0.1.0";
  private static final String DATA = "data";
  private static final String COORDINATES = "coords";

  /** The names of the two datasets in the group. */
  public static final List<String> MEMBERS = List.of(DATA, COORDINATES);

  private CoordinateForm() {}

  /**
   * Writes an array.
   *
   * @param path the path of the new group
   * @return the number of elements written
   */
  public static long write(ElementView view, H5File file, String path, List<FilterSpec> filters) {
    long count = view.count();
    int rank = view.kept().size();
    boolean small = Arrays.stream(view.extent()).allMatch(size -> size <= Integer.MAX_VALUE);
    InterchangeGroup group = InterchangeGroup.create(file, path, ENCODING, ENCODING_VERSION, view);
    Appender data =
        new Appender(group.create(DATA, view.dataset().datatype(), Shape.of(count), filters));
    Dataset coordinates =
        group.create(
            COORDINATES, small ? Datatype.I32 : Datatype.I64, Shape.of(rank, count), filters);
    long[] at = {0};
    view.forEach(entries -> {
      data.append(entries.values());
      for (int d = 0; d < rank; d++) {
        coordinates.write(Selection.at(d, at[0]).extent(1, entries.count()), entries.dimension(d));
      }
      at[0] += entries.count();
    });
    return count;
  }

  /**
   * Opens the array in a group.
   *
   * @throws FormatException if the group does not contain an array in this form
   */
  public static ElementSource open(InterchangeSource from) {
    InterchangeGroup group = from.group();
    String found = group.text(InterchangeGroup.TYPE).orElse("none");
    if (!found.equals(ENCODING)) {
      throw new FormatException("encoding of the array in " + group.path(), ENCODING, found);
    }
    long[] extent =
        group
            .numbers(InterchangeGroup.SHAPE)
            .orElseThrow(() ->
                new FormatException("attribute shape of " + group.path(), "present", "missing"));
    Dataset data = group.vector(DATA);
    Dataset coordinates = group.dataset(COORDINATES);
    long[] expected = {extent.length, data.shape().elements()};
    if (extent.length == 0
        || Arrays.stream(extent).anyMatch(size -> size < 0)
        || !Arrays.equals(coordinates.shape().extent(), expected)) {
      throw new FormatException(
          "shape of " + coordinates.path(), Arrays.toString(expected), coordinates.shape());
    }
    byte[] fill = group.fill(data.datatype()).orElseGet(() -> new byte[data.datatype().size()]);
    return new Source(group, extent, data, coordinates, fill);
  }

  /** An array in a group, open for reading. */
  private record Source(
      InterchangeGroup group, long[] extent, Dataset data, Dataset coordinates, byte[] fillValue)
      implements ElementSource {
    @Override
    public List<String> ignored() {
      return group.others(Set.copyOf(MEMBERS));
    }

    @Override
    public Datatype datatype() {
      return data.datatype();
    }

    @Override
    public long count() {
      return data.shape().elements();
    }

    @Override
    public void forEach(ElementSink sink) {
      int rank = extent.length;
      int most = Entries.most(datatype().size());
      for (long at = 0; at < count(); at += most) {
        int n = (int) Math.min(most, count() - at);
        long[] places = new long[Math.multiplyExact(n, rank)];
        for (int d = 0; d < rank; d++) {
          long[] one = coordinates.readLongs(Selection.at(d, at).extent(1, n));
          for (int element = 0; element < n; element++) {
            if (one[element] < 0 || one[element] >= extent[d]) {
              throw new FormatException(
                  "coordinate in " + coordinates.path(), "below " + extent[d], one[element]);
            }
            places[element * rank + d] = one[element];
          }
        }
        MemorySegment values = MemorySegment.ofArray(new byte[n * datatype().size()]);
        data.read(Selection.at(at).extent(n), datatype(), values);
        sink.accept(new Entries(rank, places, values));
      }
    }
  }
}
