package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.ShipperOptions;

/** One rank, which computes and serves. */
class RemoteConformanceOneRankTest extends RemoteConformance {
  RemoteConformanceOneRankTest() {
    super(1, ShipperOptions.DEFAULT);
  }
}
