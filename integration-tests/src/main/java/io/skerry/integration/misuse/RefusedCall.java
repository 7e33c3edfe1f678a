package io.skerry.integration.misuse;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;

/** Collective calls that one rank refuses because its own argument is invalid. */
enum RefusedCall {
  WRITE_CHUNKED((in, given, _) -> in.dataset("/chunked1").write(given.selection(), new int[1])),
  WRITE_CONTIGUOUS((in, given, _) -> in.dataset("/flat1").write(given.selection(), new int[1])),
  WRITE_COMPACT((in, given, _) -> in.dataset("/compact1").write(given.selection(), new int[1])),
  WRITE_SPARSE((in, given, _) -> in.dataset("/sparse1").write(given.selection(), new int[1])),
  WRITE_TEXT(
      (in, given, _) -> in.dataset("/text1").write(given.selection(), new String[] {"text"})),
  WRITE_SEVERAL((in, given, _) ->
      in.file()
          .writeAll(
              List.of(
                  DatasetWrite.of(in.dataset("/flat1"), Selection.at(0, 0), new int[1]),
                  DatasetWrite.of(in.dataset("/chunked1"), given.selection(), new int[1])))),
  ERASE((in, given, _) -> in.dataset("/sparse1").erase(given.selection())),
  READ_CHUNKED((in, given, _) -> read(in.dataset("/chunked1"), given)),
  READ_CONTIGUOUS((in, given, _) -> read(in.dataset("/flat1"), given)),
  READ_SPARSE((in, given, _) -> read(in.dataset("/sparse1"), given)),
  READ_TEXT((in, given, _) -> {
    var _ = in.dataset("/text1").readStrings(given.selection());
  }),
  DEFINED((in, given, _) -> {
    var _ = in.dataset("/sparse1").defined(given.selection());
  }),
  EXTEND((in, given, mark) -> in.dataset("/chunked1").extend(given == Given.BAD ? -1 : 16 + mark)),
  CREATE_GROUP((in, given, mark) -> {
    var _ = in.file().createGroup(given.path("/g" + mark));
  }),
  CREATE_DATASET((in, given, mark) -> {
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2);
    var _ = in.file().createDataset(given.path("/d" + mark), spec);
  }),
  CREATE_SOFT_LINK((in, given, mark) -> in.file().createSoftLink(given.path("/s" + mark), "/x")),
  CREATE_HARD_LINK((in, given, mark) ->
      in.file().createHardLink("/h" + mark, given == Given.BAD ? "/is not there" : "/chunked1")),
  MOVE((in, given, mark) -> in.file().move(given.source(), "/m" + mark)),
  UNLINK((in, given, _) -> in.file().unlink(given.source())),
  COPY((in, given, mark) -> in.file().copy(given.source(), in.file(), "/c" + mark)),
  SET_ATTRIBUTE((in, given, mark) ->
      in.group("/group1").setAttribute(Attribute.of(given == Given.BAD ? "" : "a" + mark, "text"))),
  DELETE_ATTRIBUTE((in, given, _) ->
      in.group("/group1").deleteAttribute(given == Given.BAD ? "is not there" : "kept")),
  OPEN_OBJECT((in, given, _) -> {
    var _ = in.file().object(given.source());
  });

  /** The argument of a rank. */
  enum Given {
    GOOD,
    BAD;

    Selection selection() {
      return this == GOOD ? Selection.at(5, 5) : Selection.at(5, 500);
    }

    String path(String good) {
      return this == GOOD ? good : "/flat1/not a group";
    }

    String source() {
      return this == GOOD ? "/chunked2" : "/is not there";
    }
  }

  /** A call on a file. */
  @FunctionalInterface
  interface Body {
    /** Makes the call. */
    void run(MisusedFile in, Given given, int mark);
  }

  private final Body body;

  RefusedCall(Body body) {
    this.body = body;
  }

  /** Makes the call. Collective. */
  void run(MisusedFile in, Given given, int mark) {
    body.run(in, given, mark);
  }

  private static void read(Dataset dataset, Given given) {
    var _ = dataset.readInts(given.selection());
  }
}
