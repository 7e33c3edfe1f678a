package io.skerry.peers;

import io.tiledb.java.api.Array;
import io.tiledb.java.api.ArraySchema;
import io.tiledb.java.api.ArrayType;
import io.tiledb.java.api.Attribute;
import io.tiledb.java.api.ByteShuffleFilter;
import io.tiledb.java.api.Context;
import io.tiledb.java.api.Datatype;
import io.tiledb.java.api.Dimension;
import io.tiledb.java.api.Domain;
import io.tiledb.java.api.DoubleDeltaFilter;
import io.tiledb.java.api.FilterList;
import io.tiledb.java.api.GzipFilter;
import io.tiledb.java.api.Layout;
import io.tiledb.java.api.Pair;
import io.tiledb.java.api.Query;
import io.tiledb.java.api.QueryStatus;
import io.tiledb.java.api.QueryType;
import io.tiledb.java.api.SubArray;
import io.tiledb.java.api.TileDBError;
import io.tiledb.java.api.ZstdFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stores frames with TileDB in a sparse array with one tile per frame. The configuration favors
 * TileDB: 16-bit coordinates where they suffice; values in global order, so that a write creates
 * one fragment regardless of the number of calls; and preallocated native memory. Values use the
 * same filters as with the other libraries, at the level of {@link SkerryFrames}; coordinates use
 * the filters that the developers of TileDB recommend.
 */
final class TileDbFrames implements FrameStore {
  private static final int LEVEL = 6;

  /** The number of threads of each thread pool of TileDB. */
  private static final String THREADS =
      String.valueOf(Math.min(2, Runtime.getRuntime().availableProcessors()));

  private final Path path;
  private final int count;
  private final List<Cells> byFrame = new ArrayList<>();
  private final List<Cells> readByFrame = new ArrayList<>();
  private final Cells whole;
  private final Cells readWhole;

  TileDbFrames(Frames frames, Path folder) {
    path = folder.resolve("tiledb");
    count = frames.count();
    whole = new Cells(frames.kept());
    readWhole = new Cells(frames.kept());
    for (int frame = 0; frame < count; frame++) {
      int[] indices = frames.indices(frame);
      short[] values = frames.values(frame);
      Cells cells = new Cells(values.length);
      for (int i = 0; i < values.length; i++) {
        cells.put(frame, indices[i], values[i]);
        whole.put(frame, indices[i], values[i]);
      }
      byFrame.add(cells);
      readByFrame.add(new Cells(frames.mostKept()));
    }
  }

  @Override
  public String name() {
    return "tiledb";
  }

  @Override
  public Path path() {
    return path;
  }

  /** An operation that uses the library. */
  @FunctionalInterface
  private interface Work {
    void with(Context context) throws TileDBError;
  }

  private static void run(Work work) throws IOException {
    Map<String, String> threads =
        Map.of("sm.compute_concurrency_level", THREADS, "sm.io_concurrency_level", THREADS);
    try (Context context = new Context(threads)) {
      work.with(context);
    } catch (TileDBError e) {
      throw new IOException("TileDB: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new UnsupportedOperationException("its native library cannot be loaded: " + e, e);
    }
  }

  @Override
  public Race.Check write(Pace pace) throws IOException {
    run(context -> {
      create(context);
      try (Array array = new Array(context, path.toString(), QueryType.TILEDB_WRITE);
          Query query = new Query(array, QueryType.TILEDB_WRITE)) {
        query.setLayout(Layout.TILEDB_GLOBAL_ORDER);
        for (Cells cells : pace == Pace.FRAMES ? byFrame : List.of(whole)) {
          cells.lend(query);
          query.submit();
        }
        query.finalizeQuery();
      }
    });
    return () -> read(Pace.WHOLE).result();
  }

  private void create(Context context) throws TileDBError {
    try (FilterList places = new FilterList(context);
        FilterList packing = new FilterList(context);
        DoubleDeltaFilter delta = new DoubleDeltaFilter(context);
        ZstdFilter zstd = new ZstdFilter(context);
        ByteShuffleFilter shuffle = new ByteShuffleFilter(context);
        GzipFilter gzip = new GzipFilter(context, LEVEL);
        Domain domain = new Domain(context);
        Attribute value = new Attribute(context, Cells.VALUE, Datatype.TILEDB_UINT16);
        ArraySchema schema = new ArraySchema(context, ArrayType.TILEDB_SPARSE)) {
      places.addFilter(delta).addFilter(zstd);
      packing.addFilter(shuffle).addFilter(gzip);
      domain.addDimension(
          new Dimension<>(context, Cells.FRAME, Datatype.TILEDB_INT32, new Pair<>(0, count - 1), 1)
              .setFilterList(places));
      for (String side : List.of(Cells.ROW, Cells.COLUMN)) {
        Pair<Short, Short> range = new Pair<>((short) 0, (short) (Frames.SIDE - 1));
        domain.addDimension(
            new Dimension<>(context, side, Datatype.TILEDB_INT16, range, (short) Frames.SIDE)
                .setFilterList(places));
      }
      schema.setDomain(domain);
      schema.addAttribute(value.setFilterList(packing));
      schema.setTileOrder(Layout.TILEDB_ROW_MAJOR).setCellOrder(Layout.TILEDB_ROW_MAJOR);
      Array.create(path.toString(), schema);
    }
  }

  @Override
  public Race.Check read(Pace pace) throws IOException {
    List<Cells> parts = pace == Pace.FRAMES ? readByFrame : List.of(readWhole);
    int each = count / parts.size();
    run(context -> {
      try (Array array = new Array(context, path.toString(), QueryType.TILEDB_READ)) {
        for (int part = 0; part < parts.size(); part++) {
          read(context, array, part * each, each, parts.get(part));
        }
      }
    });
    return () -> parts.stream().mapToLong(Cells::checksum).sum();
  }

  private static void read(Context context, Array array, int first, int frames, Cells into)
      throws TileDBError {
    try (Query query = new Query(array, QueryType.TILEDB_READ);
        SubArray wanted = new SubArray(context, array)) {
      query.setLayout(Layout.TILEDB_GLOBAL_ORDER);
      // In TileDB, null means that there is no stride.
      wanted.addRange(0, first, first + frames - 1, null);
      query.setSubarray(wanted);
      into.lend(query);
      QueryStatus status = query.submit();
      if (status != QueryStatus.TILEDB_COMPLETED) {
        throw new TileDBError("incomplete read: status=" + status + " frame=" + first);
      }
      into.taken(query);
    }
  }

  @Override
  public void close() {
    // Nothing is open between two calls.
  }
}
