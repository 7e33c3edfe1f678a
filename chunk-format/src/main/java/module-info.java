/** One chunk at a time: selections, datatypes, filters and the chunk format layer. */
module io.skerry.chunk {}
