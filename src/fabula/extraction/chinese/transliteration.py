"""The characters used to transliterate foreign names."""

from __future__ import annotations

# Characters far more common in foreign names than elsewhere.
MOSTLY_FOREIGN = frozenset(
    "阿埃艾奥巴鲍贝彼波勃伯布查茨德蒂迪顿厄恩尔菲弗夫盖戈格赫霍基吉加贾杰喀卡凯坎柯科克肯库夸奎拉莱赖勒雷蕾"
    "里莉鲁伦罗洛玛迈麦曼蒙米姆穆"
    "娜纳尼妮涅诺欧帕派佩皮匹珀普奇琪恰乔琼瑞撒萨塞莎珊史斯丝索塔泰特廷图托瓦韦维薇沃西希锡谢休雅亚耶伊约泽"
    "扎詹兹佐"
)
SOUNDS = MOSTLY_FOREIGN | frozenset(
    "爱安昂拔白班邦保堡本比毕宾博彻茲达戴丹当道登邓第丁东杜多俄额法凡费芬丰佛福甘冈哥葛贡古瓜圭哈海汉豪黑亨"
    "胡华怀惠简捷金津康考可孔寇昆兰"
    "郎劳黎理利立连列林琳灵留龙隆卢路露马芒毛茅梅门孟密蜜缅敏明摩莫墨默拿那乃南内宁纽农努潘庞培蓬平泊齐契强"
    "切钦丘让热日荣茹儒若赛桑瑟森沙"
    "山尚绍舍申圣胜士舒思司苏坦汤唐陶滕提万旺威卫魏温文翁乌武伍夏香肖辛欣兴延扬易因英尤于珍朱卓"
)
