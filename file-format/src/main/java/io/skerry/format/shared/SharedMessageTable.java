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
 * Master table of shared messages (format specification, "Shared Object Header Message Table").
 *
 * <pre>
 * off  bytes field
 * 0    4     "SMTB"
 * 4    n x   version u8, 0 | form u8: 0 list, 1 B-tree | kinds u16: bit t is message type t
 *            | shortest message u32 | longest list u16 | smallest B-tree u16 | messages u16
 *            | index O | fractal heap O
 * .    4     lookup3 of all before
 * </pre>
 *
 * @param indexes its entries
 */
public record SharedMessageTable(List<Index> indexes) {
  /** How an index is stored. */
  public enum Form {
    /** A {@link SharedMessageList}. */
    LIST,
    /** A version 2 B-tree with records of type 7. */
    TREE
  }

  /**
   * One index with its heap.
   *
   * @param form list or tree
   * @param kinds message types that it pools: bit t is type t
   * @param shortest fewest bytes of a message that is pooled
   * @param longestList most messages of a list
   * @param smallestTree fewest messages of a B-tree
   * @param messages messages in the index
   * @param indexAddress the list or tree; undefined if nothing was pooled yet
   * @param heapAddress the fractal heap; undefined if nothing was pooled yet
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
    /** Whether messages of that type are pooled here. */
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

  /** Bytes on disk. */
  public static int size(int indexes, Widths widths) {
    return 8 + indexes * (14 + 2 * widths.offset());
  }

  /**
   * Reads the table that a superblock extension names.
   *
   * @throws FormatException if it is damaged, naming file and address
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

  /** The index that pools messages of a type. */
  public Optional<Index> index(int type) {
    return indexes.stream().filter(index -> index.pools(type)).findFirst();
  }
}
