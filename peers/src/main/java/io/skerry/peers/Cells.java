package io.skerry.peers;

import io.tiledb.java.api.Query;
import io.tiledb.java.api.TileDBError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Coordinates and values as TileDB takes and gives them: native memory, a buffer for each. */
final class Cells {
  static final String FRAME = "frame";
  static final String ROW = "row";
  static final String COLUMN = "column";
  static final String VALUE = "value";

  private final ByteBuffer frames;
  private final ByteBuffer rows;
  private final ByteBuffer columns;
  private final ByteBuffer values;
  private int count;

  /**
   * @param room cells
   */
  Cells(int room) {
    frames = allocate(room * Integer.BYTES);
    rows = allocate(room * Short.BYTES);
    columns = allocate(room * Short.BYTES);
    values = allocate(room * Short.BYTES);
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  /** Adds a cell. */
  void put(int frame, int index, short value) {
    frames.putInt(count * Integer.BYTES, frame);
    rows.putShort(count * Short.BYTES, (short) (index / Frames.SIDE));
    columns.putShort(count * Short.BYTES, (short) (index % Frames.SIDE));
    values.putShort(count * Short.BYTES, value);
    count++;
  }

  /** Has a query write or fill them. */
  void lend(Query query) throws TileDBError {
    query.setDataBuffer(FRAME, frames);
    query.setDataBuffer(ROW, rows);
    query.setDataBuffer(COLUMN, columns);
    query.setDataBuffer(VALUE, values);
  }

  /** After a query has filled them. */
  void taken(Query query) throws TileDBError {
    count = Math.toIntExact(query.resultBufferElementsNIO(VALUE, Short.BYTES).getSecond());
  }

  /** The sum of {@link Frames#token}. */
  long checksum() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum +=
          Frames.token(
              frames.getInt(i * Integer.BYTES),
              rows.getShort(i * Short.BYTES),
              columns.getShort(i * Short.BYTES),
              values.getShort(i * Short.BYTES));
    }
    return sum;
  }
}
