package io.skerry.format.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.exception.FormatException;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.header.MessageTypes;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.IndexInfo;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.FileSpaceInfoMessage.FreeSpace;
import io.skerry.format.message.FileSpaceInfoMessage.Strategy;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FillValueMessage.Allocation;
import io.skerry.format.message.dataset.FillValueMessage.State;
import io.skerry.format.message.dataset.FillValueMessage.Writing;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.PhaseChange;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.TreeOrders;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTest {
  private static final DatatypeMessage I2 =
      DatatypeMessage.of(FixedPoint.of(2, Signedness.SIGNED, Endian.LITTLE));

  private static Bytes bytes(String hex) {
    return Bytes.of(MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", ""))));
  }

  private static Message decode(int type, String hex) {
    return MessageTypes.decode(
        type,
        ByteReader.of(bytes(hex).segment(), "message"),
        Widths.EIGHT,
        SharedMessageResolver.unread());
  }

  private static String encode(Message message) {
    ByteWriter out = ByteWriter.create();
    message.encode(out, Widths.EIGHT);
    return HexFormat.of().formatHex(out.toArray());
  }

  static Stream<Message> samples() {
    Shape grown = Shape.of(new long[] {3, 4}, new long[] {3, -1});
    Shape chunk = Shape.of(2, 300);
    return Stream.of(
        DataspaceMessage.of(grown),
        DataspaceMessage.of(Shape.scalar()),
        DataspaceMessage.of(Shape.of(0, 7)),
        DataspaceMessage.empty(),
        I2,
        FillValueMessage.zeros(),
        FillValueMessage.of(bytes("0700")),
        new FillValueMessage(Allocation.EARLY, Writing.NEVER, State.UNDEFINED, Bytes.EMPTY),
        new OldFillValueMessage(bytes("010203")),
        LinkMessage.of("name", new LinkTarget.Hard(77)),
        LinkMessage.of("größe", new LinkTarget.Soft("../x")),
        LinkMessage.of("n".repeat(300), new LinkTarget.External("a.h5", "/b/c")),
        new LinkMessage(
            "u",
            OptionalLong.of(5),
            CharacterSet.UTF8,
            new LinkTarget.UserDefined(70, bytes("aabb"))),
        LinkInfoMessage.compact(),
        new LinkInfoMessage(OptionalLong.of(4), 10, 20, OptionalLong.of(30)),
        GroupInfoMessage.defaults(),
        new GroupInfoMessage(
            Optional.of(new PhaseChange(9, 3)), Optional.of(new GroupInfoMessage.Estimate(1, 2))),
        new AttributeInfoMessage(OptionalInt.of(4), 10, 20, OptionalLong.of(30)),
        new AttributeInfoMessage(
            OptionalInt.empty(),
            FileAddress.UNDEFINED,
            FileAddress.UNDEFINED,
            OptionalLong.empty()),
        AttributeMessage.of("a", I2, DataspaceMessage.of(Shape.of(2)), bytes("01000200")),
        AttributeMessage.of("ä", I2, DataspaceMessage.empty(), Bytes.EMPTY),
        new FilterPipelineMessage(
            FilterPipeline.of(
                FilterSpec.of(1, FilterSpec.Flag.OPTIONAL, 6),
                new FilterSpec(
                    32000, FilterSpec.Flag.MANDATORY, Optional.of("lzf"), new int[] {4, 5}))),
        new SectionPipelineMessage(
            SectionPipelines.none()
                .with(1, FilterPipeline.of(FilterSpec.of(1, FilterSpec.Flag.OPTIONAL, 6)))),
        new CompactLayout(bytes("010203")),
        new ContiguousLayout(100, 50),
        new ContiguousLayout(FileAddress.UNDEFINED, 0),
        new VirtualLayoutMessage(100, 3),
        ChunkedLayout.dense(Shape.of(2, 300), chunk, 8, Filtering.UNFILTERED),
        ChunkedLayout.dense(Shape.of(2, 300), chunk, 8, Filtering.FILTERED),
        ChunkedLayout.dense(Shape.of(2, 900), chunk, 8, Filtering.UNFILTERED)
            .withEdges(EdgeChunks.UNFILTERED),
        ChunkedLayout.sparse(grown, chunk, 8, Filtering.FILTERED),
        ChunkedLayout.sparse(Shape.of(2, 300), chunk, 8, Filtering.UNFILTERED),
        ChunkedLayout.sparseVariable(Shape.of(2, 300), chunk, 16, Filtering.FILTERED),
        new ChunkedLayout(
            LayoutForm.SPARSE_VARIABLE,
            EdgeChunks.FILTERED,
            chunk,
            16,
            new IndexInfo.Single(
                9,
                new SectionTable(
                    90, new long[] {30, 60}, new long[] {40, 50, 60}, new int[] {0, 1, 0}))),
        new ChunkedLayout(
            LayoutForm.VERSION_5,
            EdgeChunks.FILTERED,
            chunk,
            2,
            new IndexInfo.BTree2(2048, 100, 40, 9)),
        new ChunkedLayout(
            LayoutForm.VERSION_4, EdgeChunks.FILTERED, chunk, 2, new IndexInfo.Implicit(9)),
        new ChunkedLayout(
            LayoutForm.VERSION_3, EdgeChunks.FILTERED, chunk, 2, new IndexInfo.BTree1(9)),
        new ModificationTimeMessage(4_000_000_000L),
        new CommentMessage("words"),
        new ContinuationMessage(new Block(100, 50)),
        new ReferenceCountMessage(3),
        new SymbolTableMessage(96, 300),
        new OldModificationTimeMessage("20010203040506"),
        new ExternalFilesMessage(
            96,
            List.of(
                new ExternalFilesMessage.Slot(8, 0, 100),
                new ExternalFilesMessage.Slot(16, 7, ExternalFilesMessage.UNLIMITED))),
        new TreeOrdersMessage(new TreeOrders(1, 2, 3)),
        new DriverInfoMessage("NCSAfami", bytes("0102030405060708")),
        new SharedTableMessage(96, 3),
        new CacheImageMessage(96, 500),
        new FileSpaceInfoMessage(
            Strategy.PAGES, FreeSpace.DROPPED, 1, 4096, 7, FileAddress.UNDEFINED, List.of()),
        new FileSpaceInfoMessage(
            Strategy.FREE_SPACE_MANAGERS,
            FreeSpace.PERSISTENT,
            64,
            512,
            0,
            5000,
            LongStream.range(100, 112).boxed().toList()),
        new UnknownMessage(0x0040, bytes("0102")));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void a_message_is_decoded_from_its_bytes(Message message) {
    for (Widths widths : List.of(Widths.EIGHT, new Widths(4, 4), new Widths(4, 8))) {
      ByteWriter out = ByteWriter.create();
      message.encode(out, widths);
      ByteReader in = ByteReader.of(out.written(), "message");
      assertEquals(
          message, MessageTypes.decode(message.type(), in, widths, SharedMessageResolver.unread()));
      assertEquals(0, in.remaining());
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void a_message_is_decoded_from_its_earliest_version(Message message) {
    for (Widths widths : List.of(Widths.EIGHT, new Widths(4, 8))) {
      ByteWriter out = ByteWriter.create();
      message.encodeEarliest(out, widths);
      ByteReader in = ByteReader.of(out.written(), "message");
      assertEquals(
          message, MessageTypes.decode(message.type(), in, widths, SharedMessageResolver.unread()));
      assertEquals(0, in.remaining());
    }
  }

  @Test
  void file_space_info_of_version_0_is_decoded_like_version_1() {
    String threshold = "0500000000000000";
    long none = FileAddress.UNDEFINED;
    assertEquals(
        new FileSpaceInfoMessage(
            Strategy.FREE_SPACE_MANAGERS,
            FreeSpace.PERSISTENT,
            5,
            4096,
            0,
            none,
            List.of(96L, none, none, none, none, 80L, none, none, none, none, none, none)),
        decode(
            FileSpaceInfoMessage.TYPE,
            "0001" + threshold + "6000000000000000" + "ff".repeat(32) + "5000000000000000"));
    for (Strategy strategy :
        List.of(Strategy.FREE_SPACE_MANAGERS, Strategy.AGGREGATION, Strategy.NONE)) {
      int early = strategy == Strategy.FREE_SPACE_MANAGERS ? 2 : 1 + strategy.ordinal();
      assertEquals(
          new FileSpaceInfoMessage(strategy, FreeSpace.DROPPED, 5, 4096, 0, none, List.of()),
          decode(FileSpaceInfoMessage.TYPE, "000" + early + threshold));
    }
  }

  @Test
  void damaged_file_space_info_is_refused() {
    String numbers = "00".repeat(26);
    for (String hex : List.of("020000" + numbers, "010400" + numbers, "0000" + numbers)) {
      assertThrows(FormatException.class, () -> decode(FileSpaceInfoMessage.TYPE, hex));
    }
  }

  @Test
  void a_file_space_page_has_from_one_byte_to_one_gibibyte() {
    String before = "010100" + "00".repeat(8);
    String after = "00".repeat(10);
    for (String size : List.of("0000000000000000", "0100004000000000", "0000000001000000")) {
      assertThrows(
          FormatException.class, () -> decode(FileSpaceInfoMessage.TYPE, before + size + after));
    }
    for (String size : List.of("0100000000000000", "0000004000000000")) {
      assertEquals(
          FileSpaceInfoMessage.TYPE,
          decode(FileSpaceInfoMessage.TYPE, before + size + after).type());
    }
  }

  @Test
  void the_earliest_versions_are_those_of_old_libraries() {
    assertEquals(
        "0102010000000000"
            + "03000000000000000400000000000000"
            + "0300000000000000ffffffffffffffff",
        earliest(DataspaceMessage.of(Shape.of(new long[] {3, 4}, new long[] {3, -1}))));
    assertEquals("02030201020000000700", earliest(FillValueMessage.of(bytes("0700"))));
    assertEquals(
        "01010000000000000100080001000100" + "6465666c61746500" + "0600000000000000",
        earliest(
            new FilterPipelineMessage(
                FilterPipeline.of(
                    new FilterSpec(
                        1, FilterSpec.Flag.OPTIONAL, Optional.of("deflate"), new int[] {6})))));
    assertTrue(
        earliest(AttributeMessage.of("abc", I2, DataspaceMessage.of(Shape.scalar()), bytes("0500")))
            .startsWith("010004000c0008006162630000000000"));
    assertTrue(
        earliest(AttributeMessage.of("ä", I2, DataspaceMessage.empty(), Bytes.EMPTY))
            .startsWith("03"));
  }

  private static String earliest(Message message) {
    ByteWriter out = ByteWriter.create();
    message.encodeEarliest(out, Widths.EIGHT);
    return HexFormat.of().formatHex(out.toArray());
  }

  @Test
  void an_attribute_of_a_committed_datatype_keeps_the_reference() {
    SharedReference committed = new SharedReference.Committed(0x1234);
    SharedReference pooled = new SharedReference.Pooled(bytes("0102030405060708"));
    AttributeMessage own =
        AttributeMessage.of("abc", I2, DataspaceMessage.of(Shape.scalar()), bytes("0500"));
    for (SharedReference reference : List.of(committed, pooled)) {
      AttributeMessage attribute = own.withSharedType(reference);
      for (int form = 0; form < 2; form++) {
        ByteWriter out = ByteWriter.create();
        if (form == 0) {
          attribute.encode(out, Widths.EIGHT);
        } else {
          attribute.encodeEarliest(out, Widths.EIGHT);
        }
        ByteReader in = ByteReader.of(out.written(), "message");
        SharedMessageResolver types =
            (type, asked) ->
                Optional.of(
                    type == DatatypeMessage.TYPE && asked.equals(reference)
                        ? I2.body().segment()
                        : Bytes.EMPTY.segment());
        assertEquals(attribute, AttributeMessage.decode(in, Widths.EIGHT, types));
      }
    }
  }

  @Test
  void references_of_all_versions_are_read() {
    SharedReference committed = new SharedReference.Committed(0x1234);
    String address = "3412000000000000";
    for (String hex :
        List.of(
            "0100" + "000000000000" + "0000000000000000" + address,
            "0200" + address,
            "0202" + address,
            "0302" + address)) {
      ByteReader in = ByteReader.of(bytes(hex).segment(), "reference");
      assertEquals(committed, SharedReference.decode(in, Widths.EIGHT));
      assertEquals(0, in.remaining());
    }
    ByteReader pooled = ByteReader.of(bytes("0301" + address).segment(), "reference");
    assertEquals(
        new SharedReference.Pooled(bytes(address)), SharedReference.decode(pooled, Widths.EIGHT));
    for (String hex : List.of("0000" + address, "0303" + address, "0402" + address, "0302ffff")) {
      ByteReader in = ByteReader.of(bytes(hex).segment(), "reference");
      assertThrows(FormatException.class, () -> SharedReference.decode(in, Widths.EIGHT));
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void a_truncated_message_is_refused_or_decoded_as_a_shorter_one(Message message) {
    ByteWriter out = ByteWriter.create();
    message.encode(out, Widths.EIGHT);
    for (int length = 0; length < out.position(); length++) {
      ByteReader in = ByteReader.of(out.written().asSlice(0, length), "message");
      try {
        Message shorter =
            MessageTypes.decode(message.type(), in, Widths.EIGHT, SharedMessageResolver.unread());
        assertTrue(shorter instanceof UnknownMessage || shorter instanceof DatatypeMessage);
      } catch (FormatException e) {
        assertTrue(e.getMessage().length() > 10);
      }
    }
  }

  @Test
  void bytes_are_equal_to_those_of_hdf5() {
    assertEquals(
        "020101016400000000000000ffffffffffffffff",
        encode(DataspaceMessage.of(Shape.of(100).unlimited(0))));
    assertEquals("030b", encode(FillValueMessage.zeros()));
    assertEquals("032b020000000700", encode(FillValueMessage.of(bytes("0700"))));
    assertEquals(
        "0100" + "0161" + "b300000000000000",
        encode(LinkMessage.of("a", new LinkTarget.Hard(0xb3))));
    assertEquals(
        "0201" + "0100" + "0100" + "0100" + "08000000",
        encode(
            new FilterPipelineMessage(
                FilterPipeline.of(FilterSpec.of(1, FilterSpec.Flag.OPTIONAL, 8)))));
    assertEquals(
        "04020002010a02" + "042004041 00a".replace(" ", "") + "ffffffffffffffff",
        encode(
            ChunkedLayout.dense(
                Shape.of(100).unlimited(0), Shape.of(10), 2, Filtering.UNFILTERED)));
    assertEquals("0000ffffffffffffffffffffffffffffffff", encode(LinkInfoMessage.compact()));
    assertEquals(
        "0102"
            + "00010a00"
            + "0100010001000600 0000".replace(" ", "")
            + "01010a00"
            + "0100010001000600 0000".replace(" ", ""),
        encode(
            SectionPipelineMessage.of(
                SectionPipelines.all(
                    FilterPipeline.of(FilterSpec.of(1, FilterSpec.Flag.OPTIONAL, 6))),
                2)));
  }

  private static DataspaceMessage withoutMaximum(Shape shape) {
    return new DataspaceMessage(
        DataspaceMessage.Kind.SIMPLE, shape, DataspaceMessage.Maximum.IMPLIED);
  }

  @Test
  void a_dataspace_preserves_whether_its_maximum_is_stored() {
    DataspaceMessage plain = withoutMaximum(Shape.of(5));
    assertEquals("02010001" + "0500000000000000", encode(plain));
    assertEquals(plain, decode(1, encode(plain)));
    DataspaceMessage whole = DataspaceMessage.of(Shape.of(5));
    assertEquals("02010101" + "0500000000000000" + "0500000000000000", encode(whole));
    assertEquals(whole, decode(1, encode(whole)));
  }

  @Test
  void older_versions_are_read() {
    assertEquals(
        DataspaceMessage.of(Shape.of(new long[] {5}, new long[] {-1})),
        decode(1, "0101010000000000 0500000000000000 ffffffffffffffff"));
    assertEquals(DataspaceMessage.of(Shape.scalar()), decode(1, "0100000000000000"));
    assertEquals(FillValueMessage.of(bytes("0900")), decode(5, "02030201 02000000 0900"));
    assertEquals(FillValueMessage.zeros(), decode(5, "02030201 00000000"));
    assertEquals(
        new FillValueMessage(Allocation.LATE, Writing.IF_SET, State.UNDEFINED, Bytes.EMPTY),
        decode(5, "02020200"));
    assertEquals(
        new FillValueMessage(Allocation.LATE, Writing.ON_ALLOCATION, State.DEFAULT, Bytes.EMPTY),
        decode(5, "01020001 00000000"));
    assertEquals(
        new FilterPipelineMessage(
            FilterPipeline.of(
                new FilterSpec(
                    1, FilterSpec.Flag.OPTIONAL, Optional.of("deflate"), new int[] {6}))),
        decode(11, "0101000000000000 0100 0800 0100 0100 6465666c61746500 06000000 00000000"));
    String type = encode(I2);
    assertEquals(
        AttributeMessage.of("abc", I2, withoutMaximum(Shape.of(1)), bytes("0500")),
        decode(
            12,
            "0100 0400 0c00 1000 6162630000000000"
                + type
                + "00000000"
                + "0101000000000000 0100000000000000"
                + "0500"));
    assertEquals(
        AttributeMessage.of("abc", I2, DataspaceMessage.of(Shape.scalar()), bytes("0500")),
        decode(12, "0200 0400 0c00 0400 61626300" + type + "02000000" + "0500"));
    assertTrue(
        decode(12, "0201 0400 0a00 0400 61626300 03020000000000000000 02000000 0500")
            instanceof SharedMessage);
    assertEquals(
        new SectionPipelineMessage(
            SectionPipelines.none()
                .with(0, FilterPipeline.of(FilterSpec.of(1, FilterSpec.Flag.OPTIONAL, 6)))),
        decode(11, "0301 00010a00 0100010001000600 0000"));
  }

  @Test
  void the_sparse_layout_of_the_draft_is_decoded_as_sparse() {
    ChunkedLayout drafted =
        (ChunkedLayout)
            decode(8, "05 04 00 0100 00 02 01 05 04 08 02 01 00 03 0a bf00000000000000");
    assertEquals(LayoutForm.SPARSE, drafted.form());
  }

  @Test
  void the_width_of_a_chunk_size_depends_on_the_chunk() {
    long[][] bytesAndWidth = {{1, 2}, {20, 2}, {255, 2}, {256, 3}, {65535, 3}, {65536, 4}};
    for (long[] pair : bytesAndWidth) {
      Shape shape = Shape.of(pair[0]).unlimited(0);
      Shape chunk = Shape.of(pair[0]);
      assertEquals(pair[1], ChunkedLayout.dense(shape, chunk, 1, Filtering.FILTERED).sizeWidth());
      assertEquals(pair[1], ChunkedLayout.sparse(shape, chunk, 1, Filtering.FILTERED).sizeWidth());
      assertEquals(
          8, ChunkedLayout.sparseVariable(shape, chunk, 1, Filtering.FILTERED).sizeWidth());
    }
  }

  @Test
  void invalid_values_are_refused() {
    for (String[] bad :
        new String[][] {
          {"1", "0221010100"},
          {"1", "02010101 0500000000000000 0400000000000000"},
          {"1", "02020001 ffffffffffffff7f ffffffffffffff7f"},
          {"1", "0300000000"},
          {"5", "033b 01000000 00"},
          {"5", "0320 ffffffff"},
          {"6", "0100 00 0000000000000000"},
          {"6", "0100 0161 ffffffffffffffff"},
          {"8", "0602"},
          {"8", "0404"},
          {"8", "04020002010a00 03 0a 0000000000000000"},
          {"8", "040200 02 01 0a02 06 0000000000000000"},
          {"8", "040202 02 01 0a02 03 0a 0000000000000000"},
          {"8", "04020003 08 ffffffffffffff7f ffffffffffffff7f 0400000000000000 02 00000000"},
          {"8", "0504000000000201050408040100030abf00000000000000"},
          {"11", "0221"},
          {"12", "0300 ffff 0800 0400 00"},
          {"16", "ffffffffffffffff 1000000000000000"},
          {"16", "0000000000000000 0000000000000000"},
        }) {
      FormatException refused =
          assertThrows(
              FormatException.class,
              () -> decode(Integer.parseInt(bad[0]), bad[1]),
              () -> bad[0] + ": " + bad[1]);
      assertTrue(refused.getMessage().contains("expected="));
    }
    assertThrows(FormatException.class, () -> decode(8, "0102"));
  }

  @Test
  void a_single_chunk_with_an_address_and_no_bytes_is_refused() {
    Shape shape = Shape.of(2, 300);
    for (ChunkedLayout layout :
        List.of(
            ChunkedLayout.dense(shape, shape, 8, Filtering.FILTERED),
            ChunkedLayout.sparse(shape, shape, 8, Filtering.UNFILTERED))) {
      IndexInfo.Single unset = assertInstanceOf(IndexInfo.Single.class, layout.index());
      assertEquals(layout, decode(8, encode(layout)));
      ChunkedLayout stored = layout.withIndex(new IndexInfo.Single(9, unset.sections()));
      FormatException refused =
          assertThrows(FormatException.class, () -> decode(8, encode(stored)));
      assertTrue(refused.getMessage().contains("size of a stored chunk"));
    }
  }

  @Test
  void data_of_the_wrong_size_are_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> AttributeMessage.of("a", I2, DataspaceMessage.of(Shape.of(2)), bytes("01")));
  }
}
