package io.skerry.iod.shipper;

/** One rank, which computes and serves. */
class RemoteConformanceOneRankTest extends RemoteConformance {
  RemoteConformanceOneRankTest() {
    super(1, ShipperOptions.DEFAULT);
  }
}
