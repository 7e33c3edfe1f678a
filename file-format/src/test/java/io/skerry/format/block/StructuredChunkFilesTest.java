package io.skerry.format.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.SharedData;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderUpdate;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.IndexCommit;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.IndexInfo;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.superblock.TestFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four small sparse files, assembled byte by byte from the specification of structured chunks. */
class StructuredChunkFilesTest {
  private static TestFile open(String name) {
    return TestFile.open(SharedData.file("structured-chunk/" + name));
  }

  private static String hex(MemorySegment bytes) {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  private static String stored(TestFile file, Block block) {
    return hex(file.source().read(block.address(), block.length()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sparse_single.h5",
        "sparse_single_deflate.h5",
        "sparse_fa.h5",
        "sparse_fa_deflate.h5"
      })
  void superblock_and_headers_encode_to_their_original_bytes(String name) {
    TestFile file = open(name);
    ByteWriter superblock = ByteWriter.create();
    file.superblock().encode(superblock);
    assertEquals(stored(file, new Block(0, 48)), hex(superblock.written()));
    for (ObjectHeader header : List.of(file.root(), dataset(file))) {
      HeaderUpdate update =
          new ObjectHeaderWriter(header.prefix(), Widths.EIGHT)
              .write(header.messages(), header.placement(), SpaceAllocator.startingAt(0));
      assertEquals(1, update.blocks().size());
      assertEquals(stored(file, header.placement().first()), hex(update.blocks().get(0).bytes()));
    }
  }

  private static ObjectHeader dataset(TestFile file) {
    return file.object(file.root().all(LinkMessage.class).get(0).name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sparse_fa.h5", "sparse_fa_deflate.h5"})
  void a_fixed_array_is_rebuilt_to_its_original_bytes(String name) {
    TestFile file = open(name);
    ObjectHeader dataset = dataset(file);
    LinearIndex index = (LinearIndex) file.index(dataset);
    LeafId leaf = index.storedLeaves().get(0);
    Block block = index.stored(leaf).orElseThrow();
    List<Optional<ChunkRecord>> records =
        index.decodeLeaf(leaf, file.source().read(block.address(), block.length()));
    assertEquals(stored(file, block), hex(index.encodeLeaf(leaf, records)));

    ChunkedLayout layout = index.layout();
    long header = layout.index().address();
    Filtering filtering = name.contains("deflate") ? Filtering.FILTERED : Filtering.UNFILTERED;
    LinearIndex fresh =
        (LinearIndex)
            ChunkIndexes.create(
                ChunkedLayout.sparse(
                    dataset.find(DataspaceMessage.class).orElseThrow().shape(),
                    layout.chunk(),
                    layout.elementSize(),
                    filtering),
                dataset.find(DataspaceMessage.class).orElseThrow().shape(),
                filtering,
                Widths.EIGHT);
    SortedSet<LeafId> touched = new TreeSet<>(List.of(leaf));
    IndexCommit commit = fresh.commit(touched, 3, SpaceAllocator.startingAt(header));
    assertEquals(layout, commit.index().layout());
    assertEquals(block, commit.leaves().get(leaf));
    assertEquals(stored(file, block), hex(commit.index().encodeLeaf(leaf, records)));
    assertEquals(1, commit.spine().size());
    assertEquals(stored(file, commit.spine().get(0).block()), hex(commit.spine().get(0).bytes()));
  }

  @Test
  void the_records_have_the_assembled_values() {
    assertEquals(
        List.of(
            "[0] 0x128 size=79 offsets=[67] unfiltered=[] masks=[]",
            "[2] 0x177 size=75 offsets=[67] unfiltered=[] masks=[]"),
        records("sparse_fa.h5"));
    assertEquals(
        List.of(
            "[0] 0x190 size=58 offsets=[41] unfiltered=[67, 12] masks=[0, 0]",
            "[2] 0x1ca size=53 offsets=[39] unfiltered=[67, 8] masks=[0, 0]"),
        records("sparse_fa_deflate.h5"));
    assertEquals(
        List.of("[0] 0xc8 size=79 offsets=[67] unfiltered=[] masks=[]"),
        records("sparse_single.h5"));
    assertEquals(
        List.of("[0] 0x108 size=58 offsets=[41] unfiltered=[67, 12] masks=[0, 0]"),
        records("sparse_single_deflate.h5"));
  }

  private static List<String> records(String name) {
    TestFile file = open(name);
    List<String> lines = new ArrayList<>();
    file.index(dataset(file))
        .forEachRecord(
            file.source(),
            (at, record) ->
                lines.add(
                    Arrays.toString(at)
                        + " 0x"
                        + Long.toHexString(record.address())
                        + " "
                        + record.sections()));
    return lines;
  }

  @Test
  void the_layouts_are_decoded_as_sparse() {
    ObjectHeader single = dataset(open("sparse_single_deflate.h5"));
    ChunkedLayout layout = (ChunkedLayout) single.find(LayoutMessage.class).orElseThrow();
    assertEquals(LayoutForm.SPARSE, layout.form());
    assertEquals(2, layout.sizeWidth());
    assertEquals(IndexInfo.Single.class, layout.index().getClass());
    SectionPipelineMessage pipelines = single.find(SectionPipelineMessage.class).orElseThrow();
    assertEquals(List.of("deflate(6)"), names(pipelines, 0));
    assertEquals(List.of("deflate(6)"), names(pipelines, 1));
    assertEquals(List.of(), names(pipelines, 2));
    TestFile fixed = open("sparse_fa.h5");
    assertEquals(ChunkIndexKind.FIXED_ARRAY, fixed.index(dataset(fixed)).kind());
    ByteWriter out = ByteWriter.create();
    HeaderMessage.of(fixed.index(dataset(fixed)).layout()).message().encode(out, Widths.EIGHT);
    assertEquals("0504000000000201050408020100030abf00000000000000", hex(out.written()));
  }

  private static List<String> names(SectionPipelineMessage pipelines, int section) {
    return pipelines.pipelines().of(section).filters().stream().map(Object::toString).toList();
  }
}
