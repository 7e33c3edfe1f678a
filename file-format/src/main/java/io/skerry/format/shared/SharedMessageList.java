package io.skerry.format.shared;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import java.util.ArrayList;
import java.util.List;

/**
 * A short index of shared messages, stored as a list. Source: HDF5 File Format Specification 3.0,
 * section III.I, "Shared Object Header Message Table".
 *
 * <pre>
 * off bytes field
 * 0   4     "SMLI"
 * 4   n x   {@link SharedMessageRecord}; n is in the table
 * .   4     lookup3 checksum of all bytes above
 * .   -     unused, up to the size of the longest list
 * </pre>
 *
 * @param records the messages in the list
 */
public record SharedMessageList(List<SharedMessageRecord> records) {
  public SharedMessageList {
    records = List.copyOf(records);
  }

  /**
   * Reads the list of an index.
   *
   * @throws FormatException if the list is damaged; the exception names the file and the address
   */
  public static SharedMessageList read(
      ByteSource source, Widths widths, SharedMessageTable.Index index) {
    try {
      long bytes = 8 + (long) index.messages() * SharedMessageRecord.size(widths);
      ByteReader in =
          ByteReader.of(
              Checksums.verified(source.read(index.indexAddress(), bytes), "shared message list"),
              "shared message list");
      in.expectSignature("SMLI");
      List<SharedMessageRecord> records = new ArrayList<>();
      for (int i = 0; i < index.messages(); i++) {
        records.add(SharedMessageRecord.decode(in, widths));
      }
      return new SharedMessageList(records);
    } catch (FormatException e) {
      throw e.atAddress(index.indexAddress()).inObject("shared message list").inFile(source.name());
    }
  }

  /** Appends the list, padded to the size of a list of {@code longest} records. */
  public void encode(ByteWriter out, Widths widths, int longest) {
    int start = out.position();
    out.text("SMLI");
    records.forEach(record -> record.encode(out, widths));
    out.checksumFrom(start);
    out.zeros(Math.max(0, longest - records.size()) * SharedMessageRecord.size(widths));
  }
}
