package io.skerry.format.shared;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import io.skerry.format.message.SharedTableMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The master table of shared messages. Source: HDF5 File Format Specification 3.0, section III.I,
 * "Shared Object Header Message Table".
 *
 * <pre>
 * off  bytes field
 * 0    4     "SMTB"
 * 4    n x   version u8, 0 | form u8: 0 list, 1 B-tree | types u16: bit t is message type t
 *            | shortest message u32 | longest list u16 | smallest B-tree u16 | messages u16
 *            | index O | fractal heap O
 * .    4     lookup3 checksum of all bytes above
 * </pre>
 *
 * @param indexes the entries of the table, one per index
 */
public record SharedMessageTable(List<Index> indexes) {
  /** Storage form of an index. */
  public enum Form {
    /** A {@link SharedMessageList}. */
    LIST,
    /** A version 2 B-tree with records of type 7. */
    TREE
  }

  /**
   * One index of shared messages and its fractal heap.
   *
   * @param form list or B-tree
   * @param kinds the message types that it shares: bit t is type t
   * @param shortest the smallest size in bytes of a message that is shared
   * @param longestList the largest number of messages in a list
   * @param smallestTree the smallest number of messages in a B-tree
   * @param messages the number of messages in the index
   * @param indexAddress the address of the list or tree; undefined if no message is shared yet
   * @param heapAddress the address of the fractal heap; undefined if no message is shared yet
   */
  public record Index(
      Form form,
      int kinds,
      long shortest,
      int longestList,
      int smallestTree,
      int messages,
      long indexAddress,
      long heapAddress) {
    /** Returns whether this index shares messages of the given type. */
    public boolean pools(int type) {
      return type < 16 && (kinds >> type & 1) != 0;
    }

    private static Index decode(ByteReader in, Widths widths) {
      in.expect("version of a shared message index", 0, in.u8());
      int form = in.u8();
      if (form > 1) {
        throw in.fault("form of a shared message index", "0 list or 1 B-tree", form);
      }
      return new Index(
          Form.values()[form],
          in.u16(),
          in.u32(),
          in.u16(),
          in.u16(),
          in.u16(),
          widths.readAddress(in, "shared message index"),
          widths.readAddress(in, "shared message heap"));
    }

    private void encode(ByteWriter out, Widths widths) {
      out.u8(0).u8(form.ordinal()).u16(kinds).u32(shortest);
      out.u16(longestList).u16(smallestTree).u16(messages);
      widths.writeAddress(out, indexAddress);
      widths.writeAddress(out, heapAddress);
    }
  }

  public SharedMessageTable {
    indexes = List.copyOf(indexes);
  }

  /** Returns the size in bytes of a table with {@code indexes} entries. */
  public static int size(int indexes, Widths widths) {
    return 8 + indexes * (14 + 2 * widths.offset());
  }

  /**
   * Reads the table to which a superblock extension refers.
   *
   * @throws FormatException if the table is damaged; the exception names the file and the address
   */
  public static SharedMessageTable read(
      ByteSource source, Widths widths, SharedTableMessage message) {
    try {
      ByteReader in =
          ByteReader.of(
              Checksums.verified(
                  source.read(message.tableAddress(), size(message.indexes(), widths)),
                  "shared message table"),
              "shared message table");
      in.expectSignature("SMTB");
      List<Index> indexes = new ArrayList<>();
      for (int i = 0; i < message.indexes(); i++) {
        indexes.add(Index.decode(in, widths));
      }
      return new SharedMessageTable(indexes);
    } catch (FormatException e) {
      throw e.atAddress(message.tableAddress())
          .inObject("shared message table")
          .inFile(source.name());
    }
  }

  /** Appends the table. */
  public void encode(ByteWriter out, Widths widths) {
    int start = out.position();
    out.text("SMTB");
    indexes.forEach(index -> index.encode(out, widths));
    out.checksumFrom(start);
  }

  /** Returns the index that shares messages of the given type; empty if there is none. */
  public Optional<Index> index(int type) {
    return indexes.stream().filter(index -> index.pools(type)).findFirst();
  }
}
